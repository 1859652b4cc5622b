// The default options of the sanitizers, which ASAN_OPTIONS and UBSAN_OPTIONS override.

extern "C" const char* __asan_default_options() {  // NOLINT(*-reserved-identifier,cert-dcl*): the sanitizer's name
  // Protocol Buffers are not instrumented, and share containers with instrumented code. Detecting stack use after
  // return at each exception costs more than everything else, and so do long traces at each allocation. A replay may
  // set detect_stack_use_after_return=1:malloc_context_size=30.
  return "detect_container_overflow=0:detect_stack_use_after_return=0:malloc_context_size=2";
}

extern "C" const char* __ubsan_default_options() {  // NOLINT(*-reserved-identifier,cert-dcl*): the same
  return "print_stacktrace=1";
}
