import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { useWords } from '@longreach/ui/use-words'
import { IconArrowRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import classes from './access.module.css'

export type Explained = Result<(typeof coreContract)['endpoints']['userAccess']>['rights'][number]
type AccessReason = Explained['reasons'][number]

/** `anna → Service team → Service engineer → nordwerk`, and what limits it. */
function ReasonChain({ reason }: { reason: AccessReason }) {
  const t = useWords()
  const { user, group, role, organization, inherited, deviceGroup, policy, vpnName, paths } = reason
  const own = group.label === user
  const steps = [
    user,
    own ? t('access.ownGroup') : group.label,
    role.label,
    inherited ? t('access.fromAbove', { organization }) : organization,
  ]
  const limits = [
    deviceGroup && t('access.inDeviceGroup', { name: deviceGroup.name }),
    vpnName && t('access.atVpnName', { name: vpnName }),
    paths && t('access.onPaths', { paths: paths.join(', ') }),
    policy && t('access.throughPolicy', { name: policy.name }),
  ].filter((one) => typeof one === 'string')
  return (
    <span className={classes.chain}>
      {steps.map((step, place) => (
        <Fragment key={place}>
          {place > 0 && <IconArrowRight size={12} stroke={1.8} aria-hidden />}
          <span className={classes.step}>{step}</span>
        </Fragment>
      ))}
      {limits.length > 0 && <span className={classes.limit}>{limits.join(' · ')}</span>}
    </span>
  )
}

/** Every way to a right, and what stands before it. */
export function Reasons({ explained }: { explained: Pick<Explained, 'reasons' | 'blocked'> }) {
  const t = useWords()
  const { reasons, blocked } = explained
  return (
    <>
      {blocked && <p className={classes.blocked}>{t(`access.blocked.${blocked}`)}</p>}
      <ul className={classes.reasons}>
        {reasons.map((reason, place) => (
          <li key={place}>
            <ReasonChain reason={reason} />
          </li>
        ))}
      </ul>
    </>
  )
}
