//! HTTP in its plainest form.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What is answered to `GET path`, head and body, with these lines more in the question. Nothing of a connection that ends too early.
pub async fn get(address: SocketAddr, path: &str, head: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{head}\r\n");
    stream.write_all(asked.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer))
        .await
        .ok()?
        .ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// The body of an answer.
pub fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("a head and a body").1
}

/// A line of an answer's head.
pub fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let (head, _) = answer.split_once("\r\n\r\n")?;
    head.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}
