package io.millrace.testing.broken.persistent.rest;

import jakarta.persistence.Entity;

@Entity
class JobResource {}
