import { resolveRange } from '@longreach/ui/time-range'
import { useWords, type Translate } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../words/error-text.ts'
import {
  exportBody,
  type ExportBody,
  type ExportDevices,
  type ExportDraft,
  fieldOf,
  missingIn,
} from './export-draft.ts'
import { usualZone, weekStartOf } from '../look/time-zone.ts'
import { useExport, useExportEstimate } from './use-export.ts'

/** First values of the form, given by the page that opens it. */
export type ExportStart = Pick<ExportDraft, 'range'> &
  Partial<Pick<ExportDraft, 'zone' | 'layout' | 'name'>>

type Options = {
  devices: ExportDevices
  start: ExportStart
  onDone: (background: boolean) => void
}

/** The state of the export's form: what is filled in, how much that is, and what is wrong with it. */
export function useExportForm({ devices, start, onDone }: Options) {
  const t = useWords()
  const { locale } = useIntl()
  const [now, setNow] = useState(() => Date.now())
  const [tried, setTried] = useState(false)
  const [draft, setDraft] = useState(() => firstDraft(start, t('export.fileName')))
  const window = resolveRange(draft.range, now, draft.zone, weekStartOf(locale))
  const missing = missingIn(draft)
  const whole = Object.keys(missing).length === 0
  const body = exportBody(draft, { devices, window, words: headings(t) })
  const estimate = useExportEstimate(usePaused(whole ? body : undefined))
  const run = useExport(onDone)
  const large = estimate.data?.large === true
  const background = large || draft.background
  const told = useTold(run.error ?? estimate.error)
  const missed = Object.entries(missing).map(([key, word]) => [key, t(word)] as const)
  return {
    draft,
    window,
    estimate,
    large,
    background,
    pending: run.isPending,
    faults: { ...told.faults, ...(tried && Object.fromEntries(missed)) },
    message: told.message,
    change(part: Partial<ExportDraft>) {
      // What ends now, ends at the now of the choice: what was counted is what is written.
      if (part.range !== undefined) setNow(Date.now())
      setDraft({ ...draft, ...part })
    },
    /** Answers false where something is missing. */
    submit() {
      setTried(true)
      if (whole) run.mutate({ body, background })
      return whole
    },
  }
}

/** The question once it rests: typing asks when it pauses. Compared as text, for it is made anew each time. */
function usePaused(body: ExportBody | undefined) {
  const [asked] = useDebouncedValue(body && JSON.stringify(body), 400)
  return asked === undefined ? undefined : (JSON.parse(asked) as ExportBody) // its own text
}

const fieldsWithFaults = new Set(['paths', 'range', 'size', 'zone', 'name', 'layout'])

/** Faults of the server by field of the form; those of no field as a message. */
function useTold(error: Error | null): { faults: Record<string, string>; message?: string } {
  const errorText = useErrorText()
  if (!error) return { faults: {} }
  const { message, fields } = errorText(error)
  const entries = Object.entries(fields).map(([key, text]) => [fieldOf[key] ?? key, text] as const)
  const faults = Object.fromEntries(entries.filter(([key]) => fieldsWithFaults.has(key)))
  return Object.keys(faults).length > 0 ? { faults } : { faults, message }
}

const headings = (t: Translate): ExportBody['words'] => ({
  time: t('export.word.time'),
  device: t('export.word.device'),
  deviceId: t('export.word.deviceId'),
  path: t('export.word.path'),
  value: t('export.word.value'),
  unit: t('export.word.unit'),
})

const firstDraft = (start: ExportStart, name: string): ExportDraft => ({
  paths: ['**'],
  format: 'csv',
  layout: 'long',
  every: 'stored',
  size: 1,
  unit: 'hours',
  zone: usualZone(),
  times: 'iso8601',
  separator: 'comma',
  name: `${name} ${new Date().toISOString().slice(0, 10)}`,
  background: false,
  ...start,
})
