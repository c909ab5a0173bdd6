//! What a file is, told by its content.
