import { useOptionalWords } from '@longreach/ui/use-words'
import type { ServiceJob } from './jobs.ts'

/** Name of a job in the words of its kind, otherwise as the server labels it. Needs the words of `jobs`. */
export function useJobName() {
  const findWords = useOptionalWords()
  return ({ kind, label }: ServiceJob) => findWords(`jobs.kind.${kind}`, { label }) ?? label
}
