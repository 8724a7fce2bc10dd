import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Caller } from '@longreach/kit/service'
import type { AgreementType, Texts } from './agreements/agreement-contract.ts'
import type { Wish } from './directory/person-contract.ts'

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

type AgreementTable = {
  id: Generated<number>
  realm: string
  service_name: string
  type: AgreementType
  version: number
  default_name: string
  acceptance_field: string
  link: string
  texts: ColumnType<Texts, string, string>
  mandatory: boolean
  disabled: Generated<boolean>
  validity_start: Date
  validity_end: Date | null
  created_at: Date
  created_by: string
}

type RoleTable = {
  id: Generated<number>
  organization_id: number
  name: string
  label: string
  description: string
  type: 'APPLICATION' | 'DEVICE'
  owner: 'SYSTEM' | 'ORGANIZATION' | 'APPLICATION'
  enabled: Generated<boolean>
  inherit: Generated<boolean>
  default_star: Generated<boolean>
  /** Version of a ready-made role; null for others. */
  version: string | null
  created_at: Date
  updated_at: Date
}

/** The tables of core, as its migrations make them. */
export type CoreDb = {
  organization: OrganizationTable
  organization_tree: { descendant: number; ancestor: number; distance: number }
  organization_import_token: ImportTokenTable
  import_token_guess: { sub: string; failures: number; counted_until: Date }
  app_user: {
    id: Generated<number>
    sub: string
    realm: string
    username: string
    email: string
    first_name: string
    last_name: string
    service_account: boolean
    enabled: Generated<boolean>
    search_text: GeneratedAlways<string>
    created_at: Date
  }
  membership: {
    user_id: number
    organization_id: number
    group_policies_enabled: Generated<boolean>
    /** Of a service account: the organization it is in when it names none. */
    home: Generated<boolean>
  }
  membership_invitation: {
    id: Generated<number>
    organization_id: number
    user_id: number
    wish: JSONColumnType<Wish>
    inviter: JSONColumnType<Caller>
    created_at: Date
  }
  user_group: {
    id: Generated<number>
    organization_id: number
    name: string
    label: string
    type: 'STANDARD' | 'SELF_USER' | 'SELF_USER_SERVICE' | 'ALL_USER'
  }
  group_member: {
    organization_id: number
    group_id: number
    user_id: number
    role: 'ADMIN' | 'USER'
  }
  security_policy: {
    id: Generated<number>
    organization_id: number
    name: string
    type: 'STANDARD' | 'SELF_DEVICE' | 'ALL_DEVICES'
    device_id: string | null
  }
  device: { id: string; number: Generated<number>; label: string; organization_id: number }
  device_account: { device_id: string; organization_id: number; user_id: number }
  deleted_device: {
    id: string
    number: number | null
    label: string
    organization_id: number
    policies: number[]
  }
  policy_device: { policy_id: number; device_id: string }
  group_policy: { organization_id: number; group_id: number; policy_id: number }
  user_policy: { organization_id: number; user_id: number; policy_id: number }
  role: RoleTable
  role_rule: {
    id: Generated<number>
    role_id: number
    resource: string
    actions: string[]
    device_group: number | null
    vpn_name: string | null
  }
  model_path: { id: Generated<number>; organization_id: number; path: string; created_at: Date }
  role_model_path: {
    organization_id: number
    role_id: number
    model_path_id: number
    may_read: boolean
    may_look_back: boolean
    may_write: boolean
  }
  group_role: { organization_id: number; group_id: number; role_id: number }
  api_key: {
    id: Generated<number>
    organization_id: number
    user_id: number
    member_id: number | null
    label: string
    digest: Buffer
    permissions: string[]
    addresses: string[]
    created_at: Date
    created_by: string
    expires_at: Date
    last_used_at: Date | null
    last_used_ip: string | null
  }
  user_import: {
    id: Generated<number>
    organization_id: number
    caller: JSONColumnType<object>
    created_at: Date
    finished_at: Generated<Date | null>
    worked_on_until: Generated<Date | null>
  }
  user_import_line: {
    import_id: number
    line: number
    username: string
    person: JSONColumnType<object>
    outcome: 'WAITING' | 'MADE' | 'JOINED' | 'INVITED' | 'PRESENT' | 'FAILED'
    code: string | null
    problem: string | null
    link: Buffer | null
  }
  instance: { id: Generated<string>; created_at: Generated<Date>; updated_at: Generated<Date> }
  agreement: AgreementTable
  agreement_acceptance: {
    agreement_id: number
    sub: string
    username: string
    accepted_at: Date
    ip: string
  }
  registration: {
    id: Generated<number>
    fingerprint: string | null
    address: string
    network: string
    content: Buffer | null
    claimed_at: Date | null
    created_at: Date
  }
  access_request: {
    id: Generated<number>
    organization_id: number
    user_id: number
    note: string
    status: Generated<'OPEN' | 'ACCEPTED' | 'DECLINED'>
    created_at: Date
    decided_at: Generated<Date | null>
    decided_by: Generated<string | null>
  }
  setup_token: { fingerprint: string; claimed_at: Date | null }
  account_claim: { realm: string; username: string; claimed_at: Date; making: Generated<boolean> }
  user_property: { user_id: number; service: string; property: string; value: string }
  user_preference: {
    id: Generated<number>
    user_id: number
    organization_id: number
    service_name: string
    value: string
  }
}
