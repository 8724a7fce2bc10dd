import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { personName, useRightText } from '../../parts/access/right-text.ts'
import shared from './roles.module.css'
import classes from './ImpactDialog.module.css'

export type Impact = Result<(typeof coreContract)['endpoints']['roleImpact']>
type Change = Impact['people'][number]['lost'][number]

/** `3 people lose 12 permissions, 1 person gains 2`: what a change would do. */
export function ImpactLine({ totals: { losing, gaining } }: { totals: Impact['totals'] }) {
  const t = useWords()
  if (losing.people === 0 && gaining.people === 0) return <span>{t('roles.nobodyAffected')}</span>
  return (
    <>
      {losing.people > 0 && (
        <span className={classes.losing}>
          {t('roles.losing', { people: losing.people, permissions: losing.permissions })}
        </span>
      )}
      {gaining.people > 0 && (
        <span>
          {t('roles.gaining', { people: gaining.people, permissions: gaining.permissions })}
        </span>
      )}
    </>
  )
}

/** Summary of a change's impact, in numbers and for one person in detail. */
export function ImpactSummary({ impact }: { impact: Impact }) {
  return (
    <div className={classes.impactLine}>
      <ImpactLine totals={impact.totals} />
      {impact.people.map(({ user, lost, gained }) => (
        <div key={user.id}>
          <Changes changes={lost} lost />
          <Changes changes={gained} lost={false} />
        </div>
      ))}
    </div>
  )
}

type Props = {
  impact: Impact
  title: string
  verb: string
  pending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Names who loses and gains what, before it happens. */
export function ImpactDialog({ impact, title, verb, pending, onConfirm, onClose }: Props) {
  const t = useWords()
  const { people, totals } = impact
  return (
    <Dialog size="lg" onClose={onClose} title={title}>
      <p className={classes.impactLine}>
        <ImpactLine totals={totals} />
      </p>
      <ul className={classes.people} aria-label={t('roles.whoIsAffected')}>
        {people.map(({ user, lost, gained }) => (
          <li key={user.id}>
            <strong>{personName(user)}</strong> <span className={shared.dim}>{user.username}</span>
            <Changes changes={lost} lost />
            <Changes changes={gained} lost={false} />
          </li>
        ))}
      </ul>
      {people.length < totals.people && (
        <p className={shared.dim}>{t('roles.andMore', { count: totals.people - people.length })}</p>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button data-autofocus loading={pending} onClick={onConfirm}>
          {verb}
        </Button>
      </Group>
    </Dialog>
  )
}

function Changes({ changes, lost }: { changes: readonly Change[]; lost: boolean }) {
  const t = useWords()
  const rightText = useRightText()
  if (changes.length === 0) return null
  const Icon = lost ? IconMinus : IconPlus
  return (
    <span className={classes.changes} data-lost={lost || undefined}>
      <Icon size={13} stroke={2.2} aria-label={t(lost ? 'roles.loses' : 'roles.gains')} />
      {changes.map((change) => changeText(change, rightText, t)).join(' · ')}
    </span>
  )
}

function changeText(
  { permission, deviceGroup, vpnName, path, right, below }: Change,
  rightText: (permission: string) => string,
  t: Translate,
) {
  const limits = [
    deviceGroup?.name,
    vpnName,
    path,
    right && t(`access.right.${right}`),
    below && t('roles.below'),
  ].filter((one) => typeof one === 'string' && one !== '')
  return limits.length === 0
    ? rightText(permission)
    : `${rightText(permission)} (${limits.join(', ')})`
}
