import { platformContract } from '@longreach/platform/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { errorOf } from '../api/answer.ts'
import { api, query } from '../api/api.ts'
import { saveFile } from '../tables/save-file.ts'
import type { ExportBody } from './export-draft.ts'
import { watchJob } from '../jobs/jobs.ts'
import { useReach } from '../session/reach.ts'
import { authorizedFetch } from '../api/send.ts'

/** Estimated size of an export; requested again when the form changes. */
export function useExportEstimate(body: ExportBody | undefined) {
  const org = useReach()
  const asked = body ?? { devices: { ids: [''] }, since: 0, format: 'csv' as const }
  return useQuery({
    ...query(api.platform.estimateExport, { params: { org }, body: asked }),
    enabled: body !== undefined,
    placeholderData: (before) => before,
    retry: false,
    staleTime: 30_000,
  })
}

/** Take the file at once, or have a task write it. */
export function useExport(onDone: (background: boolean) => void) {
  const org = useReach()
  return useMutation({
    mutationFn: async ({ body, background }: { body: ExportBody; background: boolean }) => {
      if (background) await api.platform.startExport({ params: { org }, body })
      else await download(org, body)
      return background
    },
    onSuccess: async (background) => {
      onDone(background)
      if (background) await watchJob('platform')
    },
  })
}

async function download(org: string, body: ExportBody) {
  const { base } = platformContract
  const answer = await authorizedFetch(
    `${base}/organizations/${encodeURIComponent(org)}/exports/now`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  if (!answer.ok) throw await errorOf(answer)
  const type = answer.headers.get('content-type') ?? ''
  saveFile(`${body.name ?? 'values'}.${body.format}`, [await answer.blob()], type)
}
