import { useEffect, useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import type { Organization } from '../../parts/session/session.ts'

type Found = { text: string; below: Organization[]; failed: boolean }

const pauseMs = 200
const mostFound = 30

/** One's own organizations whose name fits, at once, and those below them that the server finds. */
export function useOrganizationSearch(own: readonly Organization[], text: string) {
  const asked = text.trim().toLowerCase()
  const [found, setFound] = useState<Found>({ text: '', below: [], failed: false })
  useEffect(() => {
    if (asked === '') return undefined
    const gone = new AbortController()
    const timer = setTimeout(() => {
      void searchBelow(own, asked, gone.signal).then(
        (below) => setFound({ text: asked, below, failed: false }),
        (cause: unknown) => {
          if (gone.signal.aborted) return
          reportProblem('Organizations could not be searched', cause)
          setFound({ text: asked, below: [], failed: true })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [own, asked])
  const mine = own.filter((one) => matchesText(one, asked))
  const below = asked === '' ? [] : found.below.filter((one) => matchesText(one, asked))
  const known = new Set(mine.map(({ resourceId }) => resourceId))
  return {
    organizations: [...mine, ...below.filter(({ resourceId }) => !known.has(resourceId))],
    searching: asked !== '' && found.text !== asked,
    failed: asked !== '' && found.failed,
  }
}

const matchesText = ({ label, name, resourceId }: Organization, asked: string) =>
  [label, name, resourceId].some((one) => one.toLowerCase().includes(asked))

/** Below the topmost of one's own; what is below another of them is found there. */
async function searchBelow(own: readonly Organization[], search: string, signal: AbortSignal) {
  const tops = own.filter(
    ({ resourceId }) => !own.some((other) => resourceId.startsWith(`${other.resourceId}.`)),
  )
  const pages = await Promise.all(
    tops.map((top) =>
      earlyCalls.organizations(
        { params: { org: top.resourceId }, query: { search, pageSize: mostFound } },
        { signal },
      ),
    ),
  )
  return pages.flatMap(({ content }) => content)
}
