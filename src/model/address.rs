//! Which IP addresses are public. The rule: IPv4 outside fifteen ranges; IPv6 only inside
//! 2000::/3 less four ranges; an IPv4 address inside a mapped or a NAT64 address is judged itself.
//! Pure; it knows no names and opens nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// First address, prefix length and what the range is for.
const V4: [(Ipv4Addr, u32, &str); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8, "this network"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "shared by a provider"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link local"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "for protocols"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a 6to4 relay"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "for benchmarks"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
];

/// The parts of 2000::/3 that are not public.
const V6: [(Ipv6Addr, u32, &str); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "for protocols"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "for documentation"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "6to4"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "for documentation"),
];

/// Why an address is not public; `None` when it is. The words complete "the address is …".
pub fn refusal(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(ip) => refusal_v4(ip),
        IpAddr::V6(ip) => refusal_v6(ip),
    }
}

fn refusal_v4(ip: Ipv4Addr) -> Option<&'static str> {
    let differs = |range: Ipv4Addr, prefix| (ip.to_bits() ^ range.to_bits()) >> (32 - prefix);
    V4.into_iter()
        .find(|(range, prefix, _)| differs(*range, *prefix) == 0)
        .map(|(.., why)| why)
}

fn refusal_v6(ip: Ipv6Addr) -> Option<&'static str> {
    if let Some(inner) = embedded(ip) {
        return refusal_v4(inner);
    }
    if ip.to_bits() >> 125 != 1 {
        return Some(outside(ip));
    }
    let differs = |range: Ipv6Addr, prefix| (ip.to_bits() ^ range.to_bits()) >> (128 - prefix);
    V6.into_iter()
        .find(|(range, prefix, _)| differs(*range, *prefix) == 0)
        .map(|(.., why)| why)
}

/// The IPv4 address in `::ffff:0:0/96` (mapped) or `64:ff9b::/96` (NAT64, which networks with only
/// IPv6 need).
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(Ipv4Addr::from_bits(ip.to_bits() as u32)),
        _ => None,
    }
}

fn outside(ip: Ipv6Addr) -> &'static str {
    match ip.segments()[0] {
        _ if ip.is_loopback() => "loopback",
        0xfc00..=0xfdff => "private",
        0xfe80..=0xfebf => "link local",
        0xff00..=0xffff => "multicast",
        _ => "outside the public range 2000::/3",
    }
}
