//! The gRPC services: arbiter, feed, admin.
