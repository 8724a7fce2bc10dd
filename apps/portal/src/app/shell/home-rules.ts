import { type Guarded, mayEnter, type Rights } from '../../parts/access/access-rules.ts'
import type { StartPage } from '../../parts/look/start-page.ts'

/** The order in which /home looks for a section that the person may enter. */
const order = [
  'dashboards',
  'devices',
  'vpn',
  'devicemap',
  'data-explore',
  'alarms',
  'organizations',
  'permission',
  'roles',
  'dealer',
  'store',
  'walkthrough',
  'notifications',
]

type Candidate = Guarded & { id: string; homeId?: string; path: string; group?: string }

/** An organization for remote access alone. */
const isRemoteOnly = ({ organization: { dataEnabled, vpnEnabled } }: Rights) =>
  !dataEnabled && vpnEnabled

/**
 * Path that /home is replaced by: the overview for who chose it, or whose organization did; else the
 * first in the order. Without IoT but with VPN, remote access comes before everything.
 */
export function homePath(
  sections: readonly Candidate[],
  rights: Rights,
  start: StartPage | undefined = undefined,
) {
  const overview = sections.find(({ id }) => id === 'overview')
  if (start === 'OVERVIEW' && overview && mayEnter(overview, rights)) return overview.path
  const ids = isRemoteOnly(rights) ? ['vpn-devices', ...order] : order
  const allowed = ids
    .map((id) => sections.find((section) => (section.homeId ?? section.id) === id))
    .find((section) => section !== undefined && mayEnter(section, rights))
  return allowed?.path ?? '/directaccess'
}

/** Path of some page that a permission of the person opens; undefined where nothing was given to them. */
export function anyPath(sections: readonly Candidate[], rights: Rights) {
  const home = homePath(sections, rights)
  if (home !== '/directaccess') return home
  const given = sections.filter((one) => one.group !== undefined && one.permissions.length > 0)
  return given.find((one) => mayEnter(one, rights))?.path
}
