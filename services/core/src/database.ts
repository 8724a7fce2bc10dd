import type { AccessRequestsTables } from './access-requests/access-requests-tables.ts'
import type { AgreementsTables } from './agreements/agreements-tables.ts'
import type { ApiKeysTables } from './api-keys/api-keys-tables.ts'
import type { DevicesTables } from './devices/devices-tables.ts'
import type { DirectoryTables } from './directory/directory-tables.ts'
import type { GroupsTables } from './groups/groups-tables.ts'
import type { InvitationsTables } from './invitations/invitations-tables.ts'
import type { MembershipsTables } from './memberships/memberships-tables.ts'
import type { OnboardingTables } from './onboarding/onboarding-tables.ts'
import type { OrganizationsTables } from './organizations/organizations-tables.ts'
import type { PeopleTables } from './people/people-tables.ts'
import type { PoliciesTables } from './policies/policies-tables.ts'
import type { PreferencesTables } from './preferences/preferences-tables.ts'
import type { RolesTables } from './roles/roles-tables.ts'
import type { SetupTables } from './setup/setup-tables.ts'

/** The tables of all parts, as the migrations make them: a transaction may change several. */
export type CoreDb = AccessRequestsTables &
  AgreementsTables &
  ApiKeysTables &
  DevicesTables &
  DirectoryTables &
  GroupsTables &
  InvitationsTables &
  MembershipsTables &
  OnboardingTables &
  OrganizationsTables &
  PeopleTables &
  PoliciesTables &
  PreferencesTables &
  RolesTables &
  SetupTables
