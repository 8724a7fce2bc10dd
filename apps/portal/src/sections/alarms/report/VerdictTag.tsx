import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import type { Verdict } from './targets.ts'

const tones: Record<Verdict, Tone> = { good: 'ok', bearable: 'warning', bad: 'alarm', none: 'off' }

/** Judgement of a figure, by word, shape and colour. */
export function VerdictTag({ verdict }: { verdict: Verdict }) {
  const t = useWords()
  return <StatusDot tone={tones[verdict]}>{t(`alarm-report.verdict.${verdict}`)}</StatusDot>
}
