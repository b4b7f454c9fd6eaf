//! The first packet of an MQTT connection, 3.1.1 or 5: who wants in. Nothing else of the protocol is read here.

/// What a CONNECT says of whoever sends it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hello {
    /// Version of the protocol: 4 is 3.1.1.
    level: u8,
    /// Client id.
    pub(super) client: String,
    /// User name.
    pub(super) user: Option<String>,
    /// Password.
    pub(super) password: Option<Vec<u8>>,
}

/// Why a packet is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotHello {
    /// Not all of it is here yet.
    #[error("the packet is not whole")]
    Short,
    /// It is something else.
    #[error("the first packet is no CONNECT of MQTT 3.1.1 or 5")]
    Other,
}

const CONNECT: u8 = 0x10;
const WILL: u8 = 0x04;
const PASSWORD: u8 = 0x40;
const USER: u8 = 0x80;

impl Hello {
    /// Reads the packet at the beginning of `bytes`.
    pub(super) fn read(bytes: &[u8]) -> Result<Hello, NotHello> {
        let mut all = Bytes(bytes);
        if all.byte().map_err(|()| NotHello::Short)? != CONNECT {
            return Err(NotHello::Other);
        }
        let length = match all.varint() {
            Ok(length) => length,
            Err(()) if bytes.len() < 5 => return Err(NotHello::Short),
            Err(()) => return Err(NotHello::Other),
        };
        let Ok(packet) = all.take(length) else {
            return Err(NotHello::Short);
        };
        read(Bytes(packet)).map_err(|()| NotHello::Other)
    }

    /// "Bad user name or password", in the version that was spoken.
    pub(super) fn refusal(&self) -> Vec<u8> {
        match self.level {
            5 => vec![0x20, 3, 0, 0x86, 0],
            _ => vec![0x20, 2, 0, 4],
        }
    }

    /// "Session taken over": another page has logged in as this device. The older version has no word for it.
    pub(super) fn opened_elsewhere(&self) -> Option<Vec<u8>> {
        (self.level == 5).then(|| vec![0xe0, 2, 0x8e, 0])
    }
}

fn read(mut packet: Bytes<'_>) -> Result<Hello, ()> {
    if packet.field()? != b"MQTT" {
        return Err(());
    }
    let level = packet.byte()?;
    if level != 4 && level != 5 {
        return Err(());
    }
    let flags = packet.byte()?;
    let _keep_alive = packet.take(2)?;
    let properties = |packet: &mut Bytes<'_>| -> Result<(), ()> {
        if level == 5 {
            let length = packet.varint()?;
            packet.take(length)?;
        }
        Ok(())
    };
    properties(&mut packet)?;
    let client = packet.text()?;
    if flags & WILL != 0 {
        properties(&mut packet)?;
        let (_topic, _payload) = (packet.field()?, packet.field()?);
    }
    let user = if flags & USER == 0 { None } else { Some(packet.text()?) };
    let password = if flags & PASSWORD == 0 {
        None
    } else {
        Some(packet.field()?.to_vec())
    };
    Ok(Hello {
        level,
        client,
        user,
        password,
    })
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> Result<u8, ()> {
        let (first, rest) = self.0.split_first().ok_or(())?;
        self.0 = rest;
        Ok(*first)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ()> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(())?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<usize, ()> {
        let mut value = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(())
    }

    fn field(&mut self) -> Result<&'a [u8], ()> {
        let length = usize::from(self.byte()?) << 8 | usize::from(self.byte()?);
        self.take(length)
    }

    fn text(&mut self) -> Result<String, ()> {
        String::from_utf8(self.field()?.to_vec()).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(bytes: &[u8]) -> Vec<u8> {
        [&(bytes.len() as u16).to_be_bytes(), bytes].concat()
    }

    fn connect(level: u8) -> Vec<u8> {
        let properties: &[u8] = if level == 5 { &[5, 0x11, 0, 0, 0, 0] } else { &[] };
        let none: &[u8] = if level == 5 { &[0] } else { &[] };
        let body = [
            &field(b"MQTT")[..],
            &[level, 0xce, 0, 15],
            properties,
            &field(b"phone"),
            none,
            &field(b"some/topic"),
            &field(b"gone"),
            &field(b"phone"),
            &field(b"secret"),
        ]
        .concat();
        [&[CONNECT, body.len() as u8][..], &body].concat()
    }

    #[test]
    fn who_wants_in_is_read_from_either_version() {
        for level in [4, 5] {
            let whole = connect(level);
            let hello = Hello::read(&[&whole[..], &[0xc0, 0]].concat()).expect("reads");
            assert_eq!((hello.client.as_str(), hello.user.as_deref()), ("phone", Some("phone")));
            assert_eq!(hello.password.as_deref(), Some(&b"secret"[..]));
            for cut in 0..whole.len() {
                assert_eq!(Hello::read(&whole[..cut]), Err(NotHello::Short), "{cut} bytes");
            }
        }
    }

    #[test]
    fn what_is_no_connect_is_not_taken() {
        assert_eq!(Hello::read(b"GET / HTTP/1.1"), Err(NotHello::Other));
        assert_eq!(Hello::read(&[CONNECT, 0xff, 0xff, 0xff, 0xff, 1]), Err(NotHello::Other));
        let mut old = connect(4);
        old[8] = 3;
        assert_eq!(Hello::read(&old), Err(NotHello::Other));
        // A field that says it is longer than the packet.
        let mut long = connect(4);
        long[12] = 0xff;
        assert_eq!(Hello::read(&long), Err(NotHello::Other));
    }
}
