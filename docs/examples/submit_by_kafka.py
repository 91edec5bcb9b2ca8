#!/usr/bin/env python3
"""A registered tool submits a job: submit_by_kafka.py CLIENT.PROPERTIES TOOL KEY.PEM USER CLUSTER DIRECTORY

Needs python3-kafka and python3-cryptography of Debian. Of the properties it uses the brokers and a login by SASL/PLAIN or SCRAM.
"""
import base64
import json
import re
import sys
import time
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

properties, tool, key_file, user, cluster, directory = sys.argv[1:]


def connection(text):
    settings = dict(re.findall(r"^([\w.]+)=(.*)$", text, re.MULTILINE))
    options = {"bootstrap_servers": settings["bootstrap.servers"].split(",")}
    if "security.protocol" in settings:
        login = dict(re.findall(r'(\w+)="([^"]*)"', settings.get("sasl.jaas.config", "")))
        options.update(
            security_protocol=settings["security.protocol"], sasl_mechanism=settings.get("sasl.mechanism", "PLAIN"),
            sasl_plain_username=login.get("username"), sasl_plain_password=login.get("password"))
    return options


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def signed(claims, key):
    text = encoded(b'{"alg":"ES256"}') + b"." + encoded(json.dumps(claims).encode())
    r, s = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
    return text + b"." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


with open(properties, encoding="utf-8") as file:
    options = connection(file.read())
with open(key_file, "rb") as file:
    private = serialization.load_pem_private_key(file.read(), None)
request_id = str(uuid.uuid4())  # a request that is repeated with its id submits nothing more
request = signed({
    "iss": "tool/" + tool, "aud": "millrace", "sub": user, "jti": request_id, "exp": int(time.time()) + 600,
    "job": {"script": "#!/bin/sh\nhostname\n", "walltime": "5", "source": cluster, "directory": directory}}, private)
answers = TopicPartition("millrace.tool-answers." + tool, 0)
consumer = KafkaConsumer(**options, consumer_timeout_ms=120_000)
consumer.assign([answers])
consumer.seek_to_end(answers)
consumer.position(answers)
KafkaProducer(**options).send("millrace.tool-submissions." + tool, request, request_id.encode()).get(60)
for answer in consumer:
    if answer.key == request_id.encode():
        print(answer.value.decode())
        sys.exit(0 if json.loads(answer.value)["status"] == 202 else 1)
sys.exit("no answer; is submit-service running?")
