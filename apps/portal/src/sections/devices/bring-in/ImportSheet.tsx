import { clipboardLine, csvLine } from '@longreach/kit/csv'
import { late } from '@longreach/ui/late'
import { CopyText } from '@longreach/ui/CopyText'
import { type Column, DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button, Checkbox } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { saveFile } from '../../../parts/tables/save-file.ts'
import type { Sheet, SheetLine } from './import-calls.ts'
import classes from './import.module.css'
import { useFaultText } from './use-fault-text.ts'

const LabelPrint = late(() => import('./LabelPrint.tsx'), 'LabelPrint')

const tones: Record<SheetLine['outcome'], Tone> = {
  MADE: 'ok',
  PRESENT: 'off',
  WAITING: 'off',
  FAILED: 'alarm',
}
const rowId = ({ line }: SheetLine) => `${line}`

/** Table of the result of every line, with the activation keys: to read, copy, save and print. */
export function ImportSheet({ sheet, id }: { sheet: Sheet; id: number }) {
  const t = useWords()
  const rows = useSheetRows(sheet)
  const [onlyFailed, setOnlyFailed] = useState(false)
  const columns = useColumns()
  const made = sheet.filter(({ deviceId }) => deviceId !== '')
  const failed = sheet.some(({ outcome }) => outcome === 'FAILED')
  const shown = onlyFailed ? sheet.filter(({ outcome }) => outcome === 'FAILED') : sheet
  return (
    <>
      <div className={classes.sheet}>
        <DataTable
          name="import-sheet"
          label={t('device-import.sheet')}
          columns={columns}
          rows={shown}
          rowId={rowId}
          toolbar={
            <>
              <Button
                variant="default"
                leftSection={<IconDownload size={15} />}
                onClick={() => saveFile(`devices-${id}.csv`, ['\uFEFF', ...rows().map(csvLine)])}
              >
                {t('device-import.save')}
              </Button>
              <CopyRows rows={rows} />
              {failed && (
                <Checkbox
                  label={t('device-import.onlyErrors')}
                  checked={onlyFailed}
                  onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
                />
              )}
            </>
          }
          footer={<span>{t('device-import.sheetLines', { count: shown.length })}</span>}
          empty={<EmptyState kind="nothing" title={t('device-import.sheetEmpty')} text="" />}
        />
      </div>
      {made.length > 0 && <LabelPrint labels={made} />}
    </>
  )
}

/** The sheet as a table of texts, in the person's language. */
function useSheetRows(sheet: Sheet) {
  const t = useWords()
  const faultText = useFaultText()
  return () => [
    [
      t('device-import.line'),
      t('device-import.field.label'),
      t('device-import.field.serialNumber'),
      t('devices.organization'),
      t('device-import.outcome'),
      t('devices.id'),
      t('devices.key'),
      t('device-import.problem'),
    ],
    ...sheet.map((one) => [
      one.line,
      one.label,
      one.serialNumber,
      one.organization,
      t(`device-import.sheet.${one.outcome}`),
      one.deviceId,
      one.activationKey,
      faultText(one.fault),
    ]),
  ]
}

/** Copies the sheet so that a spreadsheet takes it in as cells. */
function CopyRows({ rows }: { rows: () => (string | number)[][] }) {
  const t = useWords()
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rows().map(clipboardLine).join('\n'))
      setSaid(t('ui.copied'))
    } catch {
      setSaid(t('ui.copyRefused')) // no permission for the clipboard
    }
  }
  return (
    <>
      <Button variant="default" leftSection={<IconCopy size={15} />} onClick={() => void copy()}>
        {t('device-import.copy')}
      </Button>
      <output className={classes.dim}>{said}</output>
    </>
  )
}

function useColumns(): Column<SheetLine>[] {
  const t = useWords()
  const faultText = useFaultText()
  return useMemo(
    () => [
      {
        id: 'line',
        label: t('device-import.line'),
        width: 70,
        sortable: true,
        value: ({ line }) => line,
        cell: ({ line }) => line,
      },
      {
        id: 'label',
        label: t('device-import.field.label'),
        width: 150,
        grow: 1,
        sortable: true,
        fixed: true,
        card: 'title',
        value: ({ label }) => label,
        cell: ({ label, deviceId }) =>
          deviceId === '' ? (
            label || '—'
          ) : (
            <Anchor component={Link} to={`/devices/${deviceId}`} inherit>
              {label}
            </Anchor>
          ),
      },
      {
        id: 'serial',
        label: t('device-import.field.serialNumber'),
        width: 120,
        cell: ({ serialNumber }) => serialNumber || '—',
      },
      {
        id: 'organization',
        label: t('devices.organization'),
        width: 130,
        hidden: true,
        cell: ({ organization }) => organization,
      },
      {
        id: 'outcome',
        label: t('device-import.outcome'),
        width: 110,
        sortable: true,
        card: 'state',
        value: ({ outcome }) => outcome,
        cell: ({ outcome }) => (
          <Tag tone={tones[outcome]}>{t(`device-import.sheet.${outcome}`)}</Tag>
        ),
      },
      {
        id: 'key',
        label: t('device-import.keyOrProblem'),
        width: 230,
        grow: 3,
        card: 'detail',
        cell: ({ activationKey, fault }) =>
          activationKey === '' ? (
            <span title={faultText(fault)}>{faultText(fault) || '—'}</span>
          ) : (
            <CopyText text={activationKey} label={t('devices.key')} />
          ),
      },
    ],
    [t, faultText],
  )
}
