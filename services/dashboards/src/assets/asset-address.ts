import type { Secrets } from '@longreach/kit/secrets'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { dashboardsBase } from '../asked-contract.ts'

/** File that an address opens: its digest in hex, name and organization. */
type Addressed = { sha256: string; name: string; org: string }

const hourS = 3_600

/** End of the addresses that are made at a time, in s since 1970: the same for an hour, so that browsers keep files. */
export const addressUntilS = (now: Date) => (Math.ceil(now.getTime() / 1_000 / hourS) + 1) * hourS

const signed = (secrets: Secrets, { sha256, name, org }: Addressed, untilS: number) =>
  createHmac('sha256', secrets.derive('dashboards.asset_address'))
    .update(JSON.stringify([sha256, name, org, untilS]))
    .digest()

/** Path of a file that needs no sign-in until its end; its holder reads the file. */
export function addressOf(secrets: Secrets, file: Addressed, untilS: number) {
  const s = signed(secrets, file, untilS).toString('base64url')
  const query = new URLSearchParams({ o: file.org, u: String(untilS), s })
  return `${dashboardsBase}/assets/${file.sha256}/${encodeURIComponent(file.name)}?${query}`
}

/** State of an address as it arrives: `altered` also for one that another installation made. */
export function checkAddress(
  secrets: Secrets,
  { s, u, ...file }: Addressed & { u: string; s: string },
  now: Date,
): 'valid' | 'altered' | 'over' {
  const given = Buffer.from(s, 'base64url')
  const expected = signed(secrets, file, Number(u))
  if (!/^\d{1,11}$/.test(u) || given.length !== expected.length) return 'altered'
  if (!timingSafeEqual(given, expected)) return 'altered'
  return now.getTime() < Number(u) * 1_000 ? 'valid' : 'over'
}
