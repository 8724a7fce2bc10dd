import type { Section } from './parts/pages/section.ts'
import { agreementsAdminSection } from './sections/agreements-admin/section.ts'
import { apiKeysSection } from './sections/api-keys/section.ts'
import { accountSection } from './sections/account/section.ts'
import { dataExploreSection } from './sections/data-explore/section.ts'
import { deviceMapSection } from './sections/device-map/section.ts'
import { deviceGroupsSection } from './sections/device-groups/section.ts'
import { devicesSection } from './sections/devices/section.ts'
import { logSection } from './sections/log/section.ts'
import { mailsSection } from './sections/mails/section.ts'
import { modelsSection } from './sections/models/section.ts'
import { organizationsSection } from './sections/organizations/section.ts'
import { overviewSection } from './sections/overview/section.ts'
import { permissionSection } from './sections/permission/section.ts'
import { presetsSection } from './sections/presets/section.ts'
import { rolesSection } from './sections/roles/section.ts'
import { storageSection } from './sections/storage/section.ts'
import { walkthroughSection } from './sections/walkthrough/section.ts'

/** Every section of the portal, in the order of the menu. */
export const sections: readonly Section[] = [
  overviewSection,
  devicesSection,
  deviceMapSection,
  dataExploreSection,
  presetsSection,
  modelsSection,
  organizationsSection,
  permissionSection,
  rolesSection,
  deviceGroupsSection,
  apiKeysSection,
  agreementsAdminSection,
  mailsSection,
  storageSection,
  logSection,
  accountSection,
  walkthroughSection,
]
