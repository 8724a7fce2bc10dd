import type { Generated } from 'kysely'

type OrganizationTable = {
  id: Generated<number>
  resource_id: string
  name: string
  label: string
  parent: number | null
  realm: string
  status: Generated<'ACTIVE' | 'DELETING' | 'DELETED'>
  dealer: Generated<boolean>
  has_own_resources: Generated<boolean>
  hostname: string | null
  hostname_allowed: Generated<boolean>
  data_enabled: Generated<boolean>
  vpn_enabled: Generated<boolean>
  vpn_pairing_mode: Generated<string>
  vpn_otp_required: Generated<boolean>
  ip_addresses_whitelist: Generated<string[]>
  store_enabled: Generated<boolean>
  private_access: Generated<boolean>
  allow_disable_private_access: Generated<boolean>
  private_root: Generated<number | null>
  second_factor_required: Generated<boolean>
  start_page: Generated<'HOME' | 'OVERVIEW' | null>
  deleted_at: Generated<Date | null>
  deleted_by: Generated<string | null>
  deleted_with: Generated<number | null>
  created_at: Date
  updated_at: Date
}

type ImportTokenTable = {
  fingerprint: string
  organization_id: number
  created_by: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
  used_for: string | null
  moved: Generated<boolean>
}

export type OrganizationsTables = {
  organization: OrganizationTable
  organization_tree: { descendant: number; ancestor: number; distance: number }
  organization_import_token: ImportTokenTable
  import_token_guess: { sub: string; failures: number; counted_until: Date }
}
