package io.millrace.testing.broken.transactionalmethod.store;

import jakarta.transaction.Transactional;

class Jobs {
    @Transactional
    void save() {}
}
