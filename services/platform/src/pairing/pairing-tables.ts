import type { ReleaseDb } from '../releases/release-key.ts'
import type { ClosedDb } from '../organizations/closed-organizations.ts'

export type AuthorityRow = {
  id: string
  certificate: string
  crossed: string | null
  sealed_key: Buffer
  current: boolean
  made_at: Date
  not_after: Date
}
export type DeviceCertificateRow = {
  serial: string
  authority: string
  realm: string
  device_id: string
  issued_at: Date
  not_after: Date
  revoked_at: Date | null
  asked_from: string
}
export type ActivationKeyRow = {
  id: string
  organization: string
  device_id: string
  fingerprint: string
  made_at: Date
  made_by: string
  expires_at: Date | null
  /** The end of a key that was never presented. */
  first_use_before: Date | null
  revoked_at: Date | null
  uses: number
  most_uses: number | null
  last_used_at: Date | null
}
/** Tables of pairing, a part of the platform's. */
export type PairingDb = ClosedDb &
  ReleaseDb & {
    certificate_authority: AuthorityRow
    device_certificate: DeviceCertificateRow
    activation_key: ActivationKeyRow
  }
