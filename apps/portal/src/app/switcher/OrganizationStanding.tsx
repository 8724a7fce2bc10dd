import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'

const rolesNamed = 3
/** Ready-made roles by what the server calls them; it tells of an own one nothing else either. */
const ready = new Map([
  ['Owner', 'app_owner'],
  ['Administrator', 'app_administrator'],
  ['Administrator of devices', 'data_administrator'],
  ['Operator', 'app_operator'],
  ['Viewer', 'app_viewer'],
  ['Service engineer', 'app_service-engineer'],
  ['Dealer', 'app_dealer'],
  ['Auditor', 'app_auditor'],
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
    const name = ready.get(label)
    return name === undefined ? label : t(`shell.role.${name}`)
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
