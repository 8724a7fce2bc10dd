import { RelativeTime } from '@longreach/ui/RelativeTime'
import { type MessageId, useWords } from '@longreach/ui/use-words'

const rolesNamed = 3
/** Message of each ready-made role, by its label: the server sends only labels. */
const readyRoles: ReadonlyMap<string, MessageId> = new Map([
  ['Owner', 'shell.role.app_owner'],
  ['Administrator', 'shell.role.app_administrator'],
  ['Administrator of devices', 'shell.role.data_administrator'],
  ['Operator', 'shell.role.app_operator'],
  ['Viewer', 'shell.role.app_viewer'],
  ['Service engineer', 'shell.role.app_service-engineer'],
  ['Dealer', 'shell.role.app_dealer'],
  ['Auditor', 'shell.role.app_auditor'],
])

type OrganizationStandingProps = {
  roles: readonly string[] | undefined
  /** In ms, when this browser last entered it. */
  usedAt: number | undefined
  className: string | undefined
}

/** The person's roles in an organization and the time of the last visit; nothing if both are unknown. */
export function OrganizationStanding({ roles = [], usedAt, className }: OrganizationStandingProps) {
  const t = useWords()
  if (roles.length === 0 && usedAt === undefined) return null
  const labels = roles.map((label) => {
    const word = readyRoles.get(label)
    return word === undefined ? label : t(word)
  })
  const more = labels.length - rolesNamed
  const named = labels.slice(0, rolesNamed).join(', ')
  return (
    <span className={className}>
      {roles.length > 0 && (
        <span title={more > 0 ? labels.join(', ') : undefined}>
          {more > 0 ? `${named} +${more}` : named}
        </span>
      )}
      {roles.length > 0 && usedAt !== undefined && ' · '}
      {usedAt !== undefined && (
        <span>
          {t('door.selector.used')} <RelativeTime at={usedAt} />
        </span>
      )}
    </span>
  )
}
