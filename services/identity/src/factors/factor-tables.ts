import type { ColumnType, Generated } from 'kysely'
import type { RequiredAction } from '../accounts/account-contract.ts'

type Flow = {
  uid: string
  realm: string
  sub: string | null
  amr: string[]
  authenticated_at: Date | null
  done: string[]
  action_status: string | null
  expires_at: Date
}

type AuthenticatorApp = {
  id: string
  sub: string
  label: string
  sealed: Buffer
  last_step: ColumnType<string, number, number>
  created_at: Date
}

type Passkey = {
  id: string
  sub: string
  label: string
  credential_id: string
  public_key: Buffer
  counter: ColumnType<string, number, number>
  transports: string[]
  created_at: Date
}

type SessionFacts = {
  realm: string
  uid: string
  sub: string
  ip: string
  user_agent: string
  started_at: Date
  last_access_at: Date
}

/** Columns that migration 010 adds to accounts. */
export type AccountSecurity = {
  email_verified: Generated<boolean>
  required_actions: ColumnType<RequiredAction[], string[] | undefined, string[]>
}

/** Tables of second factors, sign-ins in progress, and addresses and browsers of sessions. */
export type FactorTables = {
  authenticator_app: AuthenticatorApp
  passkey: Passkey
  recovery_code: { sub: string; fingerprint: string; created_at: Date }
  pending_factor: { holder: string; kind: string; sealed: Buffer; expires_at: Date }
  sign_in_flow: Flow
  session_facts: SessionFacts
}
