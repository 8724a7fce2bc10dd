import type { mappingsContract } from '@longreach/mappings/contract'
import type { Result } from '@longreach/kit/contract'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { IconArrowRight, IconCopy, IconMinus, IconScissors } from '@tabler/icons-react'
import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Device, devicesChanged } from './device-calls.ts'
import shared from './devices.module.css'
import classes from './MoveDeviceDialog.module.css'
import { MoveTokenForm } from './MoveTokenForm.tsx'

type Check = Result<(typeof mappingsContract)['endpoints']['moveCheck']>
type Props = { device: Device; onClose: () => void; onMoved: () => void }

/** Gives a device to another organization: its token first, then what that means, then the move. */
export function MoveDeviceDialog({ device, onClose, onMoved }: Props) {
  const t = useWords()
  const params = { org: device.orgResourceId, device: device.deviceId }
  const look = useMutation({
    mutationFn: (organizationImportToken: string) =>
      api.mappings.moveCheck({ params, query: { organizationImportToken } }),
  })
  if (look.data) {
    const confirm = { token: look.variables, check: look.data }
    return <Confirm {...confirm} {...{ params, onClose, onMoved }} />
  }
  return (
    <MoveTokenForm
      title={t('devices.moveTitle', { device: device.label })}
      help={t('devices.moveTokenHelp')}
      field="organizationImportToken"
      look={look}
      onToken={look.mutate}
      onClose={onClose}
    />
  )
}

type ConfirmProps = Omit<Props, 'device'> & {
  params: { org: string; device: string }
  token: string
  check: Check
}

function Confirm({ params, token, check, onClose, onMoved }: ConfirmProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [notes, setNotes] = useState(false)
  const move = useMutation({
    mutationFn: () =>
      api.mappings.moveDevice({
        params,
        query: {},
        body: { organizationImportToken: token, notes },
      }),
    onSuccess: () => {
      onMoved()
      return devicesChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('devices.moveTitle', { device: check.device.label })}
      verb={t('devices.moveVerb')}
      danger
      typed={check.to.label}
      pending={move.isPending}
      error={move.error ? errorText(move.error).message : undefined}
      onConfirm={() => move.mutate()}
      onClose={onClose}
    >
      <p>{t('devices.moveFromTo', { from: check.from.label, to: check.to.label })}</p>
      <MoveItems
        items={check.items.filter(({ kind }) => !notes || kind !== 'notes')}
        to={check.to.label}
      />
      <Checkbox
        label={t('devices.moveNotes')}
        checked={notes}
        onChange={(event) => setNotes(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}

/** List of the moved devices' dependent data, with its state after the move. */
export function MoveItems({ items, to }: { items: Check['items']; to: string }) {
  return (
    <ul className={classes.moveList}>
      {items.map((item) => (
        <Item key={`${item.kind} ${item.fate}`} item={item} to={to} />
      ))}
    </ul>
  )
}

const icons = { goes: IconArrowRight, copied: IconCopy, left: IconMinus, cut: IconScissors }

function Item({ item, to }: { item: Check['items'][number]; to: string }) {
  const t = useWords()
  const { kind, fate, names, count } = item
  const Icon = icons[fate]
  const more = count - names.length
  return (
    <li data-fate={fate}>
      <Icon size={15} stroke={1.7} aria-hidden />
      <span>
        <strong>{t(`devices.move.${kind}`)}</strong>
        {names.length > 0 && ` ${names.join(', ')}`}
        {more > 0 && ` ${t('devices.moveMore', { count: more })}`}
        <span className={shared.dim}> {t(`devices.moveFate.${fate}`, { to, kind })}</span>
      </span>
    </li>
  )
}
