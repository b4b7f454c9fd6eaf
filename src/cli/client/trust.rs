//! TLS on the way to a hub: whom to trust, and the connection.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use http::Uri;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tower::Service;

use crate::config::certificate;

/// The CA that was named and nobody else; without one that of `flagfall login --ca`; without that whom the machine trusts.
pub(super) fn trusted(ca: Option<&Path>) -> anyhow::Result<ClientConfig> {
    let kept = super::own_file("ca.pem").filter(|kept| kept.exists());
    let mut roots = RootCertStore::empty();
    match ca.map(Path::to_owned).or(kept) {
        Some(file) => {
            let chain = certificate::chain(&file).map_err(|what| anyhow!("{}: {what}", file.display()))?;
            for certificate in chain {
                roots
                    .add(certificate)
                    .with_context(|| format!("{} holds a certificate that cannot be used", file.display()))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .context("TLS cannot be set up")?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(config)
}

type Connecting = Pin<Box<dyn Future<Output = io::Result<TokioIo<TlsStream<TcpStream>>>> + Send>>;

/// Connects by TCP, then TLS.
pub(super) fn connector(
    config: ClientConfig,
) -> impl Service<Uri, Response = TokioIo<TlsStream<TcpStream>>, Error = io::Error, Future = Connecting> + Send + Clone
{
    let tls = TlsConnector::from(Arc::new(config));
    tower::service_fn(move |uri: Uri| -> Connecting { Box::pin(connect(tls.clone(), uri)) })
}

async fn connect(tls: TlsConnector, uri: Uri) -> io::Result<TokioIo<TlsStream<TcpStream>>> {
    let host = uri.host().unwrap_or_default();
    // An IPv6 address stands in brackets there, and nowhere else.
    let host = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(host);
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(443))).await?;
    stream.set_nodelay(true)?;
    Ok(TokioIo::new(tls.connect(name, stream).await?))
}

/// The hub was there, and what it showed was not to be trusted.
pub(super) fn is_distrust(error: &tonic::transport::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        let tls = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
            .and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(_)) = tls {
            return true;
        }
        cause = error.source();
    }
    false
}
