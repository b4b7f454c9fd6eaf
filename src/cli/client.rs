//! How the commands reach a running hub: its public gRPC interface, with a token, and nothing else.

mod trust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use serde::Serialize;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use super::refused;
use crate::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use crate::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use crate::api::proto::feed::v1::feed_service_client::FeedServiceClient;
use crate::config::Language;

/// Where a hub listens that was not told otherwise.
pub const DEFAULT_HUB: &str = "http://127.0.0.1:7878";
/// The environment variable with the token itself. It has no option: what stands on a command line, everybody can read.
pub const TOKEN_VARIABLE: &str = "FLAGFALL_TOKEN";

const CONNECT_PATIENCE: Duration = Duration::from_secs(5);
const CALL_PATIENCE: Duration = Duration::from_secs(15);
/// A whole hall in one message.
const LARGEST_ANSWER: usize = 64 << 20;

/// Which hub, and with which token.
#[derive(Clone, Debug, Args)]
pub struct Hub {
    /// The hub's address.
    #[arg(long, value_name = "URL", env = "FLAGFALL_HUB", default_value = DEFAULT_HUB, global = true)]
    pub hub: String,

    /// A file with the token, and nothing else in it. The variable FLAGFALL_TOKEN comes before it; without either the file
    /// that `flagfall login` has written is read.
    #[arg(long, value_name = "FILE", global = true)]
    pub token_file: Option<PathBuf>,

    /// A file with the certificate of whoever vouches for the hub's: `ca.pem` of `flagfall tls init`. Without it that of
    /// `flagfall login --ca`, and without that whoever this machine trusts.
    #[arg(long, value_name = "FILE", env = "FLAGFALL_CA", global = true)]
    pub ca: Option<PathBuf>,

    /// Print JSON, as the proto files name things, instead of tables.
    #[arg(long, global = true)]
    pub json: bool,

    /// Repeat a call whose answer got lost, by the id that the error named: it is not done twice.
    #[arg(long, value_name = "ID", global = true)]
    pub request_id: Option<String>,
}

/// A channel that shows the token with every call.
pub type Authorised = InterceptedService<Channel, Token>;

/// The token, ready to be sent, and the language that is wanted.
#[derive(Clone)]
pub struct Token(MetadataValue<Ascii>, Option<Language>);

impl Token {
    /// Of a token's text.
    pub fn of(token: &str) -> anyhow::Result<Token> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| anyhow!("the token has characters in it that no token has"))?;
        value.set_sensitive(true);
        Ok(Token(value, None))
    }
}

impl Interceptor for Token {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        if let Some(language) = self.1 {
            let language = MetadataValue::from_static(language.code());
            request.metadata_mut().insert("accept-language", language);
        }
        Ok(request)
    }
}

/// A connection to a hub.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    token: Token,
    /// Whether JSON is wanted.
    pub json: bool,
    request_id: Option<String>,
}

impl Hub {
    /// Connects, with the token that is at hand.
    pub async fn connect(&self) -> anyhow::Result<Client> {
        let token = self.token()?;
        self.connect_with(&token).await
    }

    /// Connects with this token.
    pub async fn connect_with(&self, token: &str) -> anyhow::Result<Client> {
        let endpoint: Endpoint = self
            .hub
            .parse()
            .with_context(|| format!("`{}` is no address: write it as {DEFAULT_HUB}", self.hub))?;
        let endpoint = endpoint
            .connect_timeout(CONNECT_PATIENCE)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        let nobody = || {
            format!(
                "no hub answers at {}: start one with `flagfall serve` or `flagfall demo`, or name another with --hub",
                self.hub
            )
        };
        let channel = match endpoint.uri().scheme_str() {
            Some("http") => endpoint.connect().await.with_context(nobody)?,
            Some("https") => {
                let trusted = trust::trusted(self.ca.as_deref())?;
                match endpoint.connect_with_connector(trust::connector(trusted)).await {
                    Ok(channel) => channel,
                    Err(error) if trust::is_distrust(&error) => {
                        return Err(error).with_context(|| {
                            format!(
                                "the hub at {} is not trusted, and nothing was sent: name the hall's CA with --ca FILE, and the hub \
                                 by a name that stands in its certificate",
                                self.hub
                            )
                        });
                    }
                    Err(error) => return Err(error).with_context(nobody),
                }
            }
            _ => bail!("`{}` is no hub's address: write it as {DEFAULT_HUB}", self.hub),
        };
        let token = Token::of(token)?;
        Ok(Client {
            channel,
            token,
            json: self.json,
            request_id: self.request_id.clone(),
        })
    }

    /// Keeps the CA that was named, for the next commands.
    pub fn keep_ca(&self) -> anyhow::Result<()> {
        let (Some(ca), Some(kept)) = (&self.ca, own_file("ca.pem")) else {
            return Ok(());
        };
        if std::path::absolute(ca).ok() == std::path::absolute(&kept).ok() {
            return Ok(());
        }
        let text = std::fs::read_to_string(ca).with_context(|| format!("{} cannot be read", ca.display()))?;
        keep(&kept, text.trim())
    }

    /// The token that is at hand.
    pub fn token(&self) -> anyhow::Result<String> {
        if self.token_file.is_none()
            && let Ok(token) = std::env::var(TOKEN_VARIABLE)
        {
            return whole(&token).with_context(|| format!("{TOKEN_VARIABLE} holds no token"));
        }
        let file = match &self.token_file {
            Some(file) => file.clone(),
            None => token_file().ok_or_else(|| anyhow!("no token: set {TOKEN_VARIABLE} or give --token-file"))?,
        };
        let text = std::fs::read_to_string(&file).with_context(|| {
            format!(
                "no token: {} cannot be read; run `flagfall login`, set {TOKEN_VARIABLE} or give --token-file",
                file.display()
            )
        })?;
        whole(&text).with_context(|| format!("{} holds no token", file.display()))
    }
}

fn whole(text: &str) -> anyhow::Result<String> {
    let token = text.trim();
    if token.is_empty() || token.contains(char::is_whitespace) {
        bail!("a token is one word");
    }
    Ok(token.to_owned())
}

/// The file of the user's own token: `~/.config/flagfall/token`.
pub fn token_file() -> Option<PathBuf> {
    own_file("token")
}

/// A file of the user's own: `~/.config/flagfall/NAME`.
fn own_file(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(&std::env::var_os("HOME")?).join(".config"),
    };
    Some(folder.join("flagfall").join(name))
}

/// Writes a token where the commands look for it, readable by its owner only.
pub fn keep_token(file: &Path, token: &str) -> anyhow::Result<()> {
    keep(file, token)
}

fn keep(file: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    let told = || format!("{} cannot be written", file.display());
    if let Some(folder) = file.parent() {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .with_context(told)?;
    }
    // Written aside and renamed: an old file may be readable by others, and stays whole if the disk is full.
    let aside = file.with_extension("new");
    let _ = std::fs::remove_file(&aside);
    let mut out = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&aside)
        .with_context(told)?;
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .with_context(told)?;
    std::fs::rename(&aside, file).with_context(told)
}

impl Client {
    /// The same, asking to be spoken to in this language; in the hall's own without one.
    #[must_use]
    pub fn speaking(mut self, language: Option<Language>) -> Client {
        self.token.1 = language;
        self
    }

    /// The arbiters' interface.
    pub fn arbiter(&self) -> ArbiterServiceClient<Authorised> {
        ArbiterServiceClient::with_interceptor(self.channel.clone(), self.token.clone())
            .max_decoding_message_size(LARGEST_ANSWER)
    }

    /// Administration.
    pub fn admin(&self) -> AdminServiceClient<Authorised> {
        AdminServiceClient::with_interceptor(self.channel.clone(), self.token.clone())
            .max_decoding_message_size(LARGEST_ANSWER)
    }

    /// The hall's view.
    pub fn feed(&self) -> FeedServiceClient<Authorised> {
        FeedServiceClient::with_interceptor(self.channel.clone(), self.token.clone())
            .max_decoding_message_size(LARGEST_ANSWER)
    }

    /// The id of a call that changes something.
    pub fn request_id(&self) -> String {
        self.request_id
            .clone()
            .unwrap_or_else(|| uuid::Uuid::new_v4().to_string())
    }

    /// Waits for an answer, not for ever, and tells a refusal as people read it. `id` is that of a call that changes something.
    pub async fn answer<M>(
        &self,
        id: Option<&str>,
        call: impl Future<Output = Result<tonic::Response<M>, Status>>,
    ) -> anyhow::Result<M> {
        let answer = tokio::time::timeout(CALL_PATIENCE, call).await.unwrap_or_else(|_| {
            let message = format!("the hub has not answered within {} s", CALL_PATIENCE.as_secs());
            Err(Status::deadline_exceeded(message))
        });
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| refused::told(&status, id))
    }

    /// Prints an answer as JSON where that is wanted, or as `human` does.
    pub fn print<M: Serialize>(&self, answer: &M, human: impl FnOnce(&M) -> String) -> anyhow::Result<()> {
        let text = if self.json {
            serde_json::to_string(answer)?
        } else {
            human(answer)
        };
        super::print::out(&text)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_kept_token_is_its_owners_alone_and_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("flagfall").join("token");
        keep_token(&file, "first").expect("written");
        keep_token(&file, "second").expect("written over");
        assert_eq!(
            std::fs::metadata(&file).expect("there").permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(
            whole(&std::fs::read_to_string(&file).expect("there")).expect("a token"),
            "second"
        );
    }

    #[test]
    fn a_token_is_one_word() {
        assert!(whole(" abc\n").is_ok());
        assert!(whole("").is_err());
        assert!(whole("two words").is_err());
    }
}
