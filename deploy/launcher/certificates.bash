# shellcheck shell=bash
# Certificates for trying TLS: an authority of one's own, and a certificate for the names of a host. A site uses those of its own authority.

verb_certificates() { # folder, hosts...
    local folder=${1-} name names='' key=''
    (($# >= 2)) || die "usage: $(command_line certificates) FOLDER HOST..., such as: certificates /etc/millrace/tls millrace.example localhost"
    shift
    command -v openssl >/dev/null || die "openssl is not installed; install it, or use certificates of your site's authority"
    for name in "$@"; do
        [[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$ ]] || die "'$name' is not a valid host name or address"
        if [[ $name =~ ^[0-9.]+$ || $name == *:* ]]; then key=IP; else key=DNS; fi
        names+=${names:+,}$key:$name
    done
    mkdir -p "$folder"
    (
        cd "$folder"
        umask 077
        if [[ ! -e authority.key ]]; then
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Millrace trial authority' \
                -keyout authority.key -out authority.pem -extensions authority -config <(
                    printf '%s\n' '[req]' 'distinguished_name=name' '[name]' '[authority]' 'basicConstraints=critical,CA:TRUE' \
                        'keyUsage=critical,keyCertSign,cRLSign' 'subjectKeyIdentifier=hash'
                )
        fi
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=${1:0:64}" -keyout server.key.new -out server.csr
        openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -days 365 -set_serial "0x$(openssl rand -hex 16)" \
            -out server.pem.new -extfile <(printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\n' "$names")
        rm -f server.csr
        chmod 644 authority.pem server.pem.new
        mv -f server.key.new server.key
        mv -f server.pem.new server.pem
    ) 2>"$folder/openssl.log" || die "openssl failed: $(tail -n 3 "$folder/openssl.log")"
    rm -f "$folder/openssl.log"
    say "submit-service: millrace.submit.tls.certificate=$folder/server.pem millrace.submit.tls.key=$folder/server.key"
    say "commands: authority-file=$folder/authority.pem (or MILLRACE_AUTHORITY_FILE)"
}
