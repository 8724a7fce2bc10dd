import { type Guarded, mayEnter, type Rights } from '../../parts/access/access-rules.ts'
import type { StartPage } from '../../parts/look/start-page.ts'
import type { Section } from '../../parts/pages/section.ts'

type Candidate = Guarded &
  Pick<Section, 'path' | 'group' | 'home' | 'homeForRemoteAccess' | 'startPage'>

/** An organization for remote access alone. */
const isRemoteOnly = ({ organization: { dataEnabled, vpnEnabled } }: Rights) =>
  !dataEnabled && vpnEnabled

/**
 * Path that /home is replaced by: the section that the person or the organization chose as start page,
 * else the first in the order of /home that the person may enter.
 */
export function homePath(
  sections: readonly Candidate[],
  rights: Rights,
  start: StartPage | undefined = undefined,
) {
  const chosen = sections.filter(({ startPage }) => startPage !== undefined && startPage === start)
  const remote = isRemoteOnly(rights) ? sections.filter((one) => one.homeForRemoteAccess) : []
  const ordered = sections
    .filter(({ home }) => home !== undefined)
    .toSorted((one, other) => (one.home ?? 0) - (other.home ?? 0))
  const allowed = [...chosen, ...remote, ...ordered].find((section) => mayEnter(section, rights))
  return allowed?.path ?? '/directaccess'
}

/** Path of some page that a permission of the person opens; undefined where nothing was given to them. */
export function anyPath(sections: readonly Candidate[], rights: Rights) {
  const home = homePath(sections, rights)
  if (home !== '/directaccess') return home
  const given = sections.filter((one) => one.group !== undefined && one.permissions.length > 0)
  return given.find((one) => mayEnter(one, rights))?.path
}
