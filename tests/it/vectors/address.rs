//! ssrf_ip.json: which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use becket::model::address::refusal;
use proptest::prelude::*;

#[test]
fn ssrf_ip() {
    let Some(vectors) = super::load("ssrf_ip.json") else { return };
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let text = vector["addr"].as_str().unwrap();
            let refused = refusal(text.parse().unwrap());
            let right = match vector["expect"].as_str().unwrap() {
                "refuse" => refused.is_some(),
                "allow" => refused.is_none(),
                _ => true,
            };
            (!right).then(|| format!("{} {text}: {refused:?}", vector["id"]))
        })
        .collect();
    super::figures("ssrf_ip", vectors.len(), &failures);
}

fn with_prefix(prefix: u128, inner: u32) -> IpAddr {
    Ipv6Addr::from_bits(prefix | u128::from(inner)).into()
}

proptest! {
    #[test]
    fn an_address_in_an_address_is_judged_itself(bits: u32) {
        let plain = refusal(Ipv4Addr::from_bits(bits).into());
        prop_assert_eq!(refusal(with_prefix(0xffff << 32, bits)), plain);
        prop_assert_eq!(refusal(with_prefix(0x0064_ff9b << 96, bits)), plain);
    }

    #[test]
    fn nothing_outside_the_public_range_passes(bits: u128) {
        prop_assume!(bits >> 125 != 1);
        prop_assume!(bits >> 32 != 0xffff && bits >> 32 != 0x0064_ff9b << 64);
        prop_assert!(refusal(Ipv6Addr::from_bits(bits).into()).is_some());
    }

    #[test]
    fn both_families_agree_on_their_bounds(bits: u32) {
        let ip = Ipv4Addr::from_bits(bits);
        let octets = ip.octets();
        let known = ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_documentation()
            || octets[0] == 0 || octets[0] >= 224 || (octets[0] == 100 && octets[1] & 0xc0 == 64)
            || (octets[0] == 198 && octets[1] & 0xfe == 18) || octets[..3] == [192, 0, 0] || octets[..3] == [192, 88, 99];
        prop_assert_eq!(refusal(ip.into()).is_some(), known);
    }
}
