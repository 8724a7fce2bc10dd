import { ActionButton } from '@longreach/ui/ActionButton'
import { useWords } from '@longreach/ui/use-words'
import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { agentRefusal, agentSilent, isSilent } from '../../parts/presets/agent-refusal.ts'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import type { TrialLeaf } from './preset-calls.ts'
import classes from './presets.module.css'
import type { Editor, TagSamples } from './use-editor.ts'

const forMs = 50_000
const mostTags = 1_000
const Sampled = z.object({
  samples: z.record(z.string(), z.array(z.tuple([z.number(), z.unknown()]))),
})

/** Why a value has nothing to try it on, and, where the device is a gateway, the way to some values now. */
export function TagSampling({ editor, leaf }: { editor: Editor; leaf: TrialLeaf }) {
  const t = useWords()
  if (leaf.missing === null) {
    return leaf.sampled ? <p className={classes.dim}>{t('presets.sampled')}</p> : null
  }
  return (
    <>
      <p className={classes.dim}>{t(`presets.missing.${leaf.missing}`)}</p>
      {leaf.missing === 'not_asked' && editor.deviceId !== undefined && (
        <SampleNow editor={editor} deviceId={editor.deviceId} />
      )}
    </>
  )
}

function SampleNow({ editor, deviceId }: { editor: Editor; deviceId: string }) {
  const t = useWords()
  const org = useReach()
  const may = useMay()('devices:update')
  const params = { org, deviceId }
  const agent = useQuery({ ...query(api.platform.agent, { params }), staleTime: 60_000 }).data
  const sampling = useSampling(editor, params)
  // Other devices send what they are configured to send, and nothing else.
  if (!agent?.announced) return null
  const offline = agent.connected ? undefined : t('presets.sampleOffline')
  const reason = may ? offline : t('presets.sampleRight')
  return (
    <div className={classes.stack}>
      <ActionButton
        reason={reason}
        size="compact-sm"
        variant="default"
        loading={sampling.isPending}
        onClick={() => sampling.mutate()}
      >
        {t('presets.sample')}
      </ActionButton>
      {sampling.isPending && (
        <p role="status">{t('presets.sampling', { seconds: forMs / 1_000 })}</p>
      )}
      <SamplingError error={sampling.error} />
    </div>
  )
}

function SamplingError({ error }: { error: Error | null }) {
  const t = useWords()
  const errorText = useErrorText()
  if (!error) return null
  const message = isSilent(error) ? t('presets.sampleNoAnswer') : errorText(error).message
  return (
    <p role="alert" className={classes.warn}>
      {message}
    </p>
  )
}

/** Reads all tags of the preset that nothing is known of, and tries it on what comes. */
function useSampling(editor: Editor, params: { org: string; deviceId: string }) {
  return useMutation({
    mutationFn: async (): Promise<TagSamples> => {
      const unknown = (editor.trial.data?.leaves ?? []).flatMap(({ source, missing }) =>
        missing === 'not_asked' && source !== null ? [source] : [],
      )
      const tags = [...new Set(unknown)].slice(0, mostTags)
      const body = { command: 'tags.sample', input: { tags, forMs }, timeoutMs: 60_000 } as const
      const { state, error, result } = await api.platform.commandAgent({ params, body })
      if (error) throw agentRefusal(error)
      if (state !== 'DONE') throw agentSilent()
      return Sampled.parse(result).samples
    },
    onSuccess: editor.keepSamples,
  })
}
