//! Logs and metrics.
//!
//! Every line that concerns a table or a game carries `table` and `game` as fields. The names of all metrics stand here.

use std::io::IsTerminal as _;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// Reports taken from devices, each once. Label `device_kind` is not given: labels stay few.
pub const REPORTS: &str = "flagfall_reports_total";
/// Reports that came again.
pub const REPORTS_TWICE: &str = "flagfall_reports_twice_total";
/// Reports that devices declared lost.
pub const REPORTS_LOST: &str = "flagfall_reports_lost_total";
/// Messages, logins and subscriptions that were refused: not ours, too large, not to be read. Label `why`.
pub const MESSAGES_REFUSED: &str = "flagfall_messages_refused_total";
/// Groups of entries made durable.
pub const COMMITS: &str = "flagfall_commits_total";
/// Entries made durable.
pub const ENTRIES: &str = "flagfall_journal_entries_total";
/// Seconds from asking for a commit until it is durable.
pub const COMMIT_SECONDS: &str = "flagfall_commit_seconds";
/// Seconds from a report's arrival until what it did is durable and shown.
pub const REPORT_SECONDS: &str = "flagfall_report_to_shown_seconds";
/// Inputs that wait, by `queue`.
pub const QUEUE: &str = "flagfall_queue_depth";
/// Items that wait for an arbiter.
pub const OPEN_ITEMS: &str = "flagfall_open_items";
/// Devices that speak.
pub const DEVICES_ONLINE: &str = "flagfall_devices_online";
/// Tables that go on by hand since their game failed in the hub.
pub const PARKED: &str = "flagfall_tables_parked";
/// Gauge.
pub const DISK_FREE: &str = "flagfall_disk_free_bytes";
/// Gauge.
pub const DISK_SIZE: &str = "flagfall_disk_size_bytes";
/// Gauge.
pub const JOURNAL_BYTES: &str = "flagfall_journal_bytes";
/// Calls answered, by `outcome`.
pub const CALLS: &str = "flagfall_calls_total";
/// Orders sent to devices, repetitions included.
pub const ORDERS: &str = "flagfall_orders_total";
/// Seconds of real time, by which latencies are sorted.
const BUCKETS: &[f64] = &[
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0,
];

/// How logs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For eyes.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging to standard error. `filter` is as `RUST_LOG` has it.
///
/// # Errors
/// The filter cannot be read.
pub fn start_logs(filter: &str, format: LogFormat) -> Result<(), tracing_subscriber::filter::ParseError> {
    let filter = EnvFilter::builder().parse(filter)?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // Started twice (tests), the first stays.
    let _already = match format {
        LogFormat::Text => logs
            .with_target(false)
            .with_ansi(std::io::stderr().is_terminal())
            .try_init(),
        LogFormat::Json => logs.json().flatten_event(true).try_init(),
    };
    Ok(())
}

/// All metrics, rendered on demand. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
}

impl Metrics {
    /// Starts counting; a second call gives the same metrics.
    pub fn start() -> Metrics {
        static STARTED: OnceLock<PrometheusHandle> = OnceLock::new();
        let handle = STARTED.get_or_init(|| {
            let builder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), BUCKETS)
                .unwrap_or_else(|_| PrometheusBuilder::new());
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // Where another recorder stands already, ours stays empty: only a test could do that.
            let _other = metrics::set_global_recorder(recorder);
            describe();
            handle
        });
        Metrics { handle: handle.clone() }
    }

    /// In Prometheus' text format.
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Keeps histograms small; to be called now and then.
    pub fn upkeep(&self) {
        self.handle.run_upkeep();
    }
}

fn describe() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_counter!(REPORTS, "Reports taken from devices, each once");
    describe_counter!(REPORTS_TWICE, "Reports that came again and changed nothing");
    describe_counter!(REPORTS_LOST, "Reports that devices declared lost");
    describe_counter!(
        MESSAGES_REFUSED,
        "Device messages, logins and subscriptions refused, by reason"
    );
    describe_counter!(COMMITS, "Commits made durable");
    describe_counter!(ENTRIES, "Journal entries made durable");
    describe_histogram!(
        COMMIT_SECONDS,
        Unit::Seconds,
        "From asking for a commit until it is durable"
    );
    describe_histogram!(
        REPORT_SECONDS,
        Unit::Seconds,
        "From a report's arrival until its effect is durable and shown"
    );
    describe_gauge!(QUEUE, "Inputs that wait, by queue");
    describe_gauge!(OPEN_ITEMS, "Items that wait for an arbiter");
    describe_gauge!(DEVICES_ONLINE, "Devices that speak");
    describe_gauge!(PARKED, "Tables that go on by hand");
    describe_gauge!(DISK_FREE, "Room left on the disk of the data folder");
    describe_gauge!(DISK_SIZE, "All of that disk");
    describe_gauge!(JOURNAL_BYTES, "What the journal's files take");
    describe_counter!(CALLS, "Calls answered, by outcome");
    describe_counter!(ORDERS, "Orders sent to devices, repetitions included");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_rendered() {
        let metrics = Metrics::start();
        metrics::counter!(REPORTS).increment(3);
        metrics::histogram!(COMMIT_SECONDS).record(0.003);
        let text = metrics.render();
        assert!(text.contains("flagfall_reports_total 3"), "{text}");
        assert!(
            text.contains("flagfall_commit_seconds_bucket{le=\"0.005\"} 1"),
            "{text}"
        );
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_an_error() {
        assert!(start_logs("flagfall=loud", LogFormat::Text).is_err());
    }
}
