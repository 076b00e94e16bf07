/** Addresses that share their first bits. IPv4 has 32 of them, IPv6 128. */
export interface IpRange {
  readonly bits: 32 | 128;
  readonly address: bigint;
  readonly prefix: number;
}

/** An IPv4 or IPv6 address, or a range of them in CIDR notation; `undefined` for anything else. */
export function readIpRange(text: string): IpRange | undefined {
  const [, host, length] = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  const bits = host.includes(":") ? 128 : 32;
  const address = bits === 128 ? ipv6(host) : ipv4(host);
  const prefix = length === undefined ? bits : Number(length);
  return address === undefined || prefix > bits ? undefined : { bits, address, prefix };
}

/** Whether an address lies in a range. */
export function inIpRange(text: string, { bits, address, prefix }: IpRange): boolean {
  const asked = readIpRange(text);
  if (asked === undefined || asked.bits !== bits || asked.prefix !== bits) return false;
  const rest = BigInt(bits - prefix);
  return asked.address >> rest === address >> rest;
}

function ipv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let address = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    address = (address << 8n) | BigInt(part);
  }
  return address;
}

function ipv6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [front, back] = halves.map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[]?];
  const groups = [...front, ...(back ?? [])];
  if (back === undefined ? groups.length !== 8 : groups.length > 7) return undefined;
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const all = [...front, ...Array<string>(8 - groups.length).fill("0"), ...(back ?? [])];
  return all.reduce((address, group) => (address << 16n) | BigInt(Number.parseInt(group, 16)), 0n);
}
