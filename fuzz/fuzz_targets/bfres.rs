#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ge_harness_fuzz::bfres(bytes));
