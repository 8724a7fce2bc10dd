import { csvLine } from '@longreach/kit/csv'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Button, FileInput, Select, Textarea } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AppError } from '@longreach/kit/errors'
import { api, stale } from '../../../parts/api/api.ts'
import { saveFile } from '../../../parts/tables/save-file.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { watchJob } from '../../../parts/jobs/jobs.ts'
import { useSession } from '../../../parts/session/session.ts'
import { type Encoding, encodings, tableFiles } from '../../../parts/tables/table-file.ts'
import { useTableFile } from '../../../parts/tables/use-table-file.ts'
import { type Asked, type Plan, template } from './import-calls.ts'
import classes from './import.module.css'
import { ImportColumns } from './ImportColumns.tsx'
import { ImportLines } from './ImportLines.tsx'

const separators = [',', ';', '\t', '|'] as const
type Separator = (typeof separators)[number]

/** A table that is looked at again whenever something about it changes, and then done. */
function useTable(onStarted: (id: number) => void) {
  const organization = useSession().organization.resourceId
  const [asked, setAsked] = useState<Asked>({ csv: '' })
  const call = (dryRun: boolean, body: Asked) =>
    api.mappings.importDevices({ query: { organization, dryRun }, body })
  const look = useMutation({ mutationFn: (body: Asked) => call(true, body) })
  const run = useMutation({
    mutationFn: () => call(false, asked),
    onSuccess: async ({ importId }) => {
      await Promise.all([stale(api.mappings.deviceImports), watchJob('mappings')])
      if (importId !== undefined) onStarted(importId)
    },
  })
  const ask = (next: Asked) => {
    setAsked(next)
    run.reset()
    if (next.csv.trim() === '') look.reset()
    else look.mutate(next)
  }
  return { asked, ask, look, run }
}

/** A table from a file or the clipboard, how it is read, and what its lines would do. */
export function ImportForm({ onStarted }: { onStarted: (id: number) => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const { asked, ask, look, run } = useTable(onStarted)
  const plan = look.data
  const doable = plan?.counts.create ?? 0
  return (
    <Panel title={t('device-import.table')}>
      <div className={classes.form}>
        <p className={classes.dim}>{t('device-import.text')}</p>
        <Source asked={asked} plan={plan} onChange={ask} />
        <Headers error={look.error} plan={plan} asked={asked} onChange={ask} />
        {look.error && <ErrorPanel {...errorText(look.error)} />}
        {plan && <ImportLines plan={plan} />}
        {run.error && <ErrorPanel {...errorText(run.error)} />}
        <div className={classes.bar}>
          <Button
            variant="subtle"
            onClick={() => saveFile('import-devices.csv', ['\uFEFF', csvLine(template)])}
          >
            {t('device-import.template')}
          </Button>
          <Button
            disabled={doable === 0}
            loading={run.isPending || look.isPending}
            onClick={() => run.mutate()}
          >
            {t('device-import.verb', { count: doable })}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

type SourceProps = { asked: Asked; plan: Plan | undefined; onChange: (asked: Asked) => void }

/** Source of the table, with its character encoding and the separator of its cells. */
function Source({ asked, plan, onChange: ask }: SourceProps) {
  const t = useWords()
  const [file, setFile] = useState<File | null>(null)
  const [encoding, setEncoding] = useState<Encoding>('auto')
  const [workbook, setWorkbook] = useState(false)
  const table = useTableFile()
  const read = async (chosen: File | null, letters: Encoding) => {
    setFile(chosen)
    setEncoding(letters)
    setWorkbook(false)
    if (!chosen) {
      table.forget()
      return ask({ csv: '', name: '' })
    }
    const found = await table.read(chosen, letters)
    setWorkbook(found?.workbook ?? false)
    return ask({ csv: found?.csv ?? '', name: chosen.name })
  }
  return (
    <>
      <div className={classes.source}>
        <FileInput
          label={t('device-import.file')}
          accept={tableFiles}
          leftSection={<IconFileSpreadsheet size={16} stroke={1.6} />}
          placeholder={t('device-import.chooseFile')}
          clearable
          clearButtonProps={{ 'aria-label': t('device-import.clear') }}
          value={file}
          error={table.fault}
          onChange={(chosen) => void read(chosen, encoding)}
        />
        <Select
          label={t('device-import.encoding')}
          allowDeselect={false}
          disabled={file === null || workbook}
          value={encoding}
          data={encodings.map((value) => ({
            value,
            label: value === 'auto' ? t('device-import.guessed') : value.toUpperCase(),
          }))}
          onChange={(value) => void read(file, encodings.find((one) => one === value) ?? 'auto')}
        />
        <SeparatorSelect
          asked={asked}
          plan={plan}
          disabled={workbook}
          onChange={(separator) => {
            const { separator: _before, mapping: _columns, ...rest } = asked
            ask(separator === undefined ? rest : { ...rest, separator })
          }}
        />
      </div>
      <Textarea
        label={t('device-import.paste')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={8_000_000}
        value={file === null ? asked.csv : ''}
        disabled={file !== null}
        onChange={(event) => ask({ ...asked, csv: event.currentTarget.value, name: '' })}
      />
    </>
  )
}

type SeparatorProps = {
  asked: Asked
  plan: Plan | undefined
  disabled: boolean
  onChange: (separator: Separator | undefined) => void
}

function SeparatorSelect({ asked, plan, disabled, onChange }: SeparatorProps) {
  const t = useWords()
  const findWords = useOptionalWords()
  const name = (one: string) =>
    findWords(`device-import.separator.${separators.indexOf(one as Separator)}`) ?? one
  const guessed = plan ? `${t('device-import.guessed')}: ${name(plan.separator)}` : undefined
  return (
    <Select
      label={t('device-import.separator')}
      allowDeselect={false}
      disabled={disabled}
      value={asked.separator ?? 'auto'}
      data={[
        {
          value: 'auto',
          label: (asked.separator === undefined && guessed) || t('device-import.guessed'),
        },
        ...separators.map((value) => ({ value, label: name(value) })),
      ]}
      onChange={(value) => onChange(separators.find((one) => one === value))}
    />
  )
}

type HeadersProps = {
  error: Error | null
  plan: Plan | undefined
  asked: Asked
  onChange: (asked: Asked) => void
}

/** The columns, also those of a table that cannot be planned because a column is not named. */
function Headers({ error, plan, asked, onChange }: HeadersProps) {
  const told = error instanceof AppError ? error.details['headers'] : plan?.headers
  const headers = [...new Set(Array.isArray(told) ? told.map(String) : [])].filter(Boolean)
  if (headers.length === 0) return null
  return (
    <ImportColumns
      headers={headers}
      mapping={asked.mapping ?? plan?.mapping ?? {}}
      onChange={(mapping) => onChange({ ...asked, mapping })}
    />
  )
}
