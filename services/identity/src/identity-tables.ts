import type { ColumnType, Generated } from 'kysely'
import type { AccountSecurity, FactorTables } from './factors/factor-tables.ts'
import type { LinkTables } from './accounts/link-tables.ts'
import type { MailTables } from './mail/mail-tables.ts'

type Account = AccountSecurity & {
  sub: string
  realm: string
  username: string
  email: string
  first_name: string
  last_name: string
  enabled: boolean
  password_hash: string | null
  service_account: Generated<boolean>
  last_sign_in_at: Generated<Date | null>
  created_at: Date
}

type Client = {
  realm: string
  client_id: string
  sub: string | null
  secret: string
  secret_at: Date
  session: string
  created_at: Date
}

/** Payload of a record of oidc-provider, under its names. */
export type Payload = {
  exp?: number
  iat?: number
  jti?: string
  uid?: string
  grantId?: string
  userCode?: string
  accountId?: string
  loginTs?: number
  amr?: string[]
  acr?: string
  consumed?: number | true
  authorizations?: Record<string, { grantId?: string }>
  [claim: string]: unknown
}

type OidcRecord = {
  realm: string
  model: string
  id: string
  payload: ColumnType<Payload, string, string>
  expires_at: Date
  consumed_at: Date | null
  uid: string | null
  grant_id: string | null
  user_code: string | null
  account: string | null
}

type ImpersonationTable = {
  fingerprint: string
  realm: string
  sub: string
  by_sub: string
  by_username: string
  second_factor: boolean
  expires_at: Date
  session: string | null
}

/** Tables of identity, as its migrations create them. */
export type IdentityDb = FactorTables &
  LinkTables &
  MailTables & {
    realm: { name: string; label: string; created_at: Date }
    realm_key: { kid: string; realm: string; sealed: Buffer; active_at: Date; created_at: Date }
    account: Account
    client: Client
    impersonation: ImpersonationTable
    oidc_record: OidcRecord
    sign_in_failure: { key: string; failures: number; locked_until: Date; last_at: Date }
  }
