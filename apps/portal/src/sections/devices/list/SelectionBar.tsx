import { Reason } from '@longreach/ui/Reason'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useErrorText } from '../../../lib/error-text.ts'
import { ExportValues } from '../../../lib/ExportValues.tsx'
import { useMay, useSession } from '../../../lib/session.ts'
import { usualZone } from '../../../lib/time-zone.ts'
import type { BulkKind } from './bulk-kinds.ts'
import { exportDevices } from './device-export.ts'
import { filtersOf, type ListState, questionOf } from '../../../lib/device-filters.ts'
import classes from '../devices.module.css'

const BulkDialog = lazy(async () => ({ default: (await import('./BulkDialog.tsx')).BulkDialog }))
const SegmentDialog = lazy(async () => ({
  default: (await import('./SegmentDialog.tsx')).SegmentDialog,
}))

type Props = {
  ids: ReadonlySet<string>
  /** Not only these, but all that match. */
  everything: boolean
  total: number
  state: ListState
  onEverything: () => void
  onClear: () => void
}

const kinds = [
  ['addTags', 'devices:update', 'mayNotUpdate'],
  ['removeTags', 'devices:update', 'mayNotUpdate'],
  ['addToGroup', 'devicegroups:update', 'mayNotGroup'],
  ['removeFromGroup', 'devicegroups:update', 'mayNotGroup'],
  ['setPreset', 'devices:update', 'mayNotUpdate'],
  ['setAttribute', 'devices:update', 'mayNotUpdate'],
  ['move', 'devices:delete', 'mayNotDelete'],
  ['delete', 'devices:delete', 'mayNotDelete'],
] as const

/** What can be done with the devices that are ticked, or with everything that matches. */
export function SelectionBar(props: Props) {
  const { ids, everything, total, state, onEverything, onClear } = props
  const t = useWords()
  const may = useMay()
  const org = useSession().organization.resourceId
  const [kind, setKind] = useState<BulkKind>()
  const [saving, setSaving] = useState(false)
  const count = everything ? total : ids.size
  const selection = everything ? { question: filtersOf(state), except: [] } : { ids: [...ids] }
  const organization = questionOf(state, org).organization
  return (
    <div className={classes.selection} role="region" aria-label={t('devices.selection')}>
      <b role="status">{t('devices.selected', { count })}</b>
      {!everything && total > ids.size && (
        <Button variant="subtle" size="compact-sm" onClick={onEverything}>
          {t('devices.selectAll', { total })}
        </Button>
      )}
      {kinds.map(([one, right, reason]) => (
        <Reason key={one} text={may(right) ? undefined : t(`devices.${reason}`)}>
          <Button
            variant="default"
            size="compact-sm"
            aria-disabled={!may(right)}
            {...(!may(right) && { 'data-disabled': true })}
            {...(one === 'delete' && { className: classes.danger })}
            onClick={() => may(right) && setKind(one)}
          >
            {t(`devices.bulk.${one}`)}
          </Button>
        </Reason>
      ))}
      <ExportButton {...props} />
      {!everything && <LabelsLink ids={ids} />}
      <ExportValues devices={selection} />
      {!everything && (
        <Button variant="default" size="compact-sm" onClick={() => setSaving(true)}>
          {t('devices.segmentSave')}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {t('devices.clearSelection')}
      </Button>
      {kind && (
        <Suspense fallback={null}>
          <BulkDialog
            {...{ kind, count, selection, organization }}
            onClose={() => setKind(undefined)}
            onStarted={onClear}
          />
        </Suspense>
      )}
      {saving && (
        <Suspense fallback={null}>
          <SegmentDialog
            content={{ deviceIds: [...ids] }}
            onClose={() => setSaving(false)}
            onSaved={onClear}
          />
        </Suspense>
      )}
    </div>
  )
}

const mostLabels = 100

/** Labels to print for the devices that are ticked. */
function LabelsLink({ ids }: Pick<Props, 'ids'>) {
  const t = useWords()
  const many = ids.size > mostLabels
  const button = { variant: 'default', size: 'compact-sm' } as const
  return many ? (
    <Reason text={t('devices.labelsMost')}>
      <Button {...button} aria-disabled data-disabled>
        {t('devices.labels')}
      </Button>
    </Reason>
  ) : (
    <Button
      {...button}
      component={Link}
      to="/devices/labels"
      search={{ device: [...ids] } as never} // the route tree is made from data, so the router knows no types
    >
      {t('devices.labels')}
    </Button>
  )
}

/** The selection as a CSV file. */
function ExportButton({ ids, everything, state }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    try {
      const asked = questionOf(state, org)
      await exportDevices(asked, { ids: everything ? undefined : [...ids], t, zone: usualZone() })
    } catch (error) {
      toast({ kind: 'failed', message: errorText(error).message })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button variant="default" size="compact-sm" loading={pending} onClick={() => void run()}>
      {t('devices.export')}
    </Button>
  )
}
