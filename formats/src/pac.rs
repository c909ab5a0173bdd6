//! PAC containers.
