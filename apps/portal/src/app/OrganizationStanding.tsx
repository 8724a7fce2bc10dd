import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'

const rolesNamed = 3

type OrganizationStandingProps = {
  roles: readonly string[] | undefined
  /** In ms, when this browser last entered it. */
  usedAt: number | undefined
  className: string | undefined
}

/** What one is in an organization, and when one was last there; nothing where neither is known. */
export function OrganizationStanding({ roles = [], usedAt, className }: OrganizationStandingProps) {
  const t = useWords()
  if (roles.length === 0 && usedAt === undefined) return null
  const more = roles.length - rolesNamed
  const named = roles.slice(0, rolesNamed).join(', ')
  return (
    <span className={className}>
      {roles.length > 0 && (
        <span title={more > 0 ? roles.join(', ') : undefined}>
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
