import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ListenAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import type { BrowserProps } from './browser-props.ts'
import { cleaned, addressKeyOf } from './source-rules.ts'
import classes from './sources.module.css'

const listenMs = 5_000

/** Listens to a broker for some seconds and shows the topics with the values in their payloads. */
export function MqttTopics({ deviceId, draft, replaces, onToggle }: BrowserProps) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const errorText = useAgentErrorText()
  const [topic, setTopic] = useState('#')
  const listen = useMutation({
    mutationFn: () => {
      const named = replaces === undefined ? {} : { replaces }
      const input = { source: cleaned(draft), topic, forMs: listenMs, ...named }
      return ask({ command: 'mqtt.listen', input }, ListenAnswer)
    },
  })
  const picked = new Set(draft.tags.map(addressKeyOf))
  const rows = (listen.data?.topics ?? []).flatMap((one) =>
    one.places.map(({ path, value, type }) => ({
      value,
      tag: {
        name: [one.topic, path].filter(Boolean).join('.').replaceAll('/', '.'),
        topic: one.topic,
        ...(path !== '' && { path }),
        type,
      },
    })),
  )
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <TextInput
          label={t('gateway.topic')}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <Button variant="default" loading={listen.isPending} onClick={() => listen.mutate()}>
          {t('gateway.listen', { seconds: listenMs / 1_000 })}
        </Button>
      </div>
      {listen.error && <ErrorPanel message={errorText(listen.error, t('gateway.noAnswer'))} />}
      {listen.data && rows.length === 0 && <p className={classes.dim}>{t('gateway.silence')}</p>}
      {rows.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={t('gateway.found')}>
            <thead>
              <tr>
                <th scope="col">{t('gateway.topic')}</th>
                <th scope="col">{t('gateway.value')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ tag, value }) => (
                <tr key={addressKeyOf(tag)}>
                  <td>
                    <Checkbox
                      label={'path' in tag ? `${tag.topic} → ${tag.path}` : tag.topic}
                      checked={picked.has(addressKeyOf(tag))}
                      onChange={() => onToggle(tag)}
                    />
                  </td>
                  <td className={classes.number}>{String(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
