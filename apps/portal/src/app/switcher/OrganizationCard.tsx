import { hasCapability } from '@longreach/authorization/product-capabilities'
import { UnstyledButton } from '@mantine/core'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import type { Organization } from '../../parts/session/session.ts'
import { OrganizationMark } from './OrganizationMark.tsx'
import classes from '../sign-in/OrganizationPage.module.css'
import { OrganizationStanding } from './OrganizationStanding.tsx'

type OrganizationCardProps = {
  organization: Organization
  /** In ms, when this browser last entered it. */
  usedAt: number | undefined
  pending: boolean
  onEnter: () => void
}

/** An organization to enter: name, place in the tree, what one is there and it has, when it was last used here. */
export function OrganizationCard({
  organization,
  usedAt,
  pending,
  onEnter,
}: OrganizationCardProps) {
  const { label, name, resourceId } = organization
  return (
    <UnstyledButton
      className={classes.card}
      onClick={onEnter}
      disabled={pending}
      aria-busy={pending}
    >
      <OrganizationMark organization={organization} size={40} />
      <span>
        <span className={classes.name}>{label || name}</span>
        <span className={classes.path}>{resourceId.split('.').join(' › ')}</span>
        <OrganizationStanding
          roles={organization.roles}
          usedAt={usedAt}
          className={classes.standing}
        />
        <span className={classes.tags}>
          <OrganizationTags organization={organization} />
        </span>
      </span>
    </UnstyledButton>
  )
}

/** Labels of an organization's licensed parts: IoT, VPN, dealer. */
export function OrganizationTags({ organization }: { organization: Organization }) {
  const t = useWords()
  const { dataEnabled, vpnEnabled, dealer } = organization
  return (
    <>
      {dataEnabled && <Tag tone="info">{t('shell.tag.iot')}</Tag>}
      {vpnEnabled && hasCapability('remoteAccess') && <Tag tone="ok">{t('shell.tag.vpn')}</Tag>}
      {dealer && hasCapability('dealer') && <Tag tone="warning">{t('shell.tag.dealer')}</Tag>}
    </>
  )
}
