//! PMO models: meshes of GE display lists with their vertex and index buffers.
