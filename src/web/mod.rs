//! HTTP: pages, SSE, files.
