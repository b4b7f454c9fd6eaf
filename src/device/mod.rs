//! The contract with clocks and boards over MQTT: messages, sessions, time, the broker.
