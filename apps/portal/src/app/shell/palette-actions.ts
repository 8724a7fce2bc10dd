import type { Permission } from '@longreach/authorization/permissions'
import { IconCpu, IconFileImport, IconShieldPlus, IconUserPlus } from '@tabler/icons-react'
import type { Icon } from '../../parts/pages/section.ts'

/** Action that every page offers: its page and the permissions that it needs. */
type PaletteAction = {
  /** Part of the message id `shell.palette.action.{id}`. */
  id: 'addDevice' | 'importDevices' | 'invitePerson' | 'newRole'
  to: string
  search?: Record<string, string>
  permissions: readonly Permission[]
  icon: Icon
}

/** Actions of the palette; another page adds one by an entry. */
export const paletteActions: readonly PaletteAction[] = [
  {
    id: 'addDevice',
    to: '/devices',
    search: { add: 'device' },
    permissions: ['devices:read', 'devices:create'],
    icon: IconCpu,
  },
  {
    id: 'importDevices',
    to: '/devices/import',
    permissions: ['devices:read', 'devices:create'],
    icon: IconFileImport,
  },
  {
    id: 'invitePerson',
    to: '/permission',
    search: { add: 'person' },
    permissions: ['users:read', 'users:create'],
    icon: IconUserPlus,
  },
  {
    id: 'newRole',
    to: '/roles',
    search: { add: 'role' },
    permissions: ['roles:read', 'roles:create'],
    icon: IconShieldPlus,
  },
]
