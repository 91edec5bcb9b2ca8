package io.millrace.testing.broken.transactional.store;

import jakarta.transaction.Transactional;

@Transactional
class Jobs {}
