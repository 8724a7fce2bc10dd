import { csvLine } from '@longreach/kit/csv'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, FileInput, Group, Select } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AppError } from '@longreach/kit/errors'
import { api } from '../../parts/api/api.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { tableFiles } from '../../parts/tables/table-file.ts'
import { useTableFile } from '../../parts/tables/use-table-file.ts'
import type { Plan } from './import-plan.ts'
import { ImportPlanTable } from './ImportPlanTable.tsx'
import { ImportWork } from './ImportWork.tsx'
import { useOrg } from './people-calls.ts'
import classes from './permission.module.css'

type Mapping = Plan['mapping']
const template = ['username', 'email', 'first name', 'last name', 'groups', 'roles']

/** A table that is looked at when it is chosen and whenever its columns are, and then done. */
function useImport() {
  const org = useOrg()
  const [csv, setCsv] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [mapping, setMapping] = useState<Mapping>({})
  const table = useTableFile()
  const call = (dryRun: boolean, asked: { csv: string; mapping: Mapping }) =>
    api.core.importUsers({ params: { org }, query: { dryRun }, body: asked })
  const look = useMutation({ mutationFn: (asked: Parameters<typeof call>[1]) => call(true, asked) })
  const run = useMutation({ mutationFn: () => call(false, { csv, mapping }) })
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setMapping({})
    run.reset()
    look.reset()
    if (!chosen) table.forget()
    const found = chosen ? await table.read(chosen) : undefined
    setCsv(found?.csv ?? '')
    if (found) look.mutate({ csv: found.csv, mapping: {} })
  }
  const map = (next: Mapping) => {
    setMapping(next)
    look.mutate({ csv, mapping: next })
  }
  return { file, fault: table.fault, mapping, look, run, choose, map }
}

/** Many people from a table: what each line would do first, then the doing, then the sheet. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const { file, fault, mapping, look, run, choose, map } = useImport()
  const plan = look.data
  const doable = plan ? plan.counts.create + plan.counts.join : 0
  const importId = run.data?.importId
  return (
    <Dialog size="xl" onClose={onClose} closeOnClickOutside={false} title={t('permission.import')}>
      {importId !== undefined ? (
        <ImportWork id={importId} onClose={onClose} />
      ) : (
        <div className={classes.form}>
          <p className={classes.text}>{t('permission.importText')}</p>
          <FileInput
            label={t('permission.file')}
            accept={tableFiles}
            leftSection={<IconFileSpreadsheet size={16} stroke={1.6} />}
            placeholder={t('permission.chooseFile')}
            clearable
            clearButtonProps={{ 'aria-label': t('permission.clear') }}
            value={file}
            error={fault}
            onChange={(chosen) => void choose(chosen)}
          />
          <ChooseColumns error={look.error} plan={plan} mapping={mapping} onChange={map} />
          {look.error && <ErrorPanel {...errorText(look.error)} />}
          {plan && <ImportPlanTable plan={plan} />}
          {run.error && <ErrorPanel {...errorText(run.error)} />}
          <Group justify="space-between">
            <Button
              variant="subtle"
              onClick={() => saveFile('people.csv', ['\uFEFF', csvLine(template)])}
            >
              {t('permission.template')}
            </Button>
            <Group gap="xs" ml="auto">
              <Button variant="default" onClick={onClose}>
                {t('ui.cancel')}
              </Button>
              <Button
                disabled={doable === 0}
                loading={run.isPending || look.isPending}
                onClick={() => run.mutate()}
              >
                {doable === 0
                  ? t('permission.import')
                  : t('permission.importVerb', { count: doable })}
              </Button>
            </Group>
          </Group>
        </div>
      )}
    </Dialog>
  )
}

type ColumnsProps = {
  error: Error | null
  plan: Plan | undefined
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}
const requiredColumns = ['username', 'email'] as const

/** Choice of the columns that hold the names, asked for when the headers are unknown. */
function ChooseColumns({ error, plan, mapping, onChange }: ColumnsProps) {
  const t = useWords()
  const told = error instanceof AppError ? error.details['headers'] : plan?.headers
  const headers = [...new Set(Array.isArray(told) ? told.map(String) : [])].filter(Boolean)
  const asked = requiredColumns.filter(
    (field) => plan?.mapping[field] === undefined || mapping[field],
  )
  if (headers.length === 0 || (plan && asked.length < 2 && mapping.username === undefined))
    return null
  return (
    <Group grow>
      {requiredColumns.map((field) => (
        <Select
          key={field}
          label={t('permission.columnOf', { field: t(`permission.${field}`) })}
          clearable
          clearButtonProps={{ 'aria-label': t('permission.clear') }}
          data={headers}
          value={mapping[field] ?? plan?.mapping[field] ?? null}
          onChange={(header) => {
            const { [field]: _before, ...rest } = mapping
            onChange(header === null ? rest : { ...rest, [field]: header })
          }}
        />
      ))}
    </Group>
  )
}
