import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ListAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import type { BrowserProps } from './browser-props.ts'
import { cleaned, addressKeyOf, type Tag } from './source-rules.ts'
import classes from './sources.module.css'

const mostShown = 500

/** The tags of a Logix controller, by name. */
export function EthernetIpTags({ deviceId, draft, replaces, onToggle }: BrowserProps) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const errorText = useAgentErrorText()
  const [text, setText] = useState('')
  const list = useMutation({
    mutationFn: () => {
      const input = { source: cleaned(draft), ...(replaces !== undefined && { replaces }) }
      return ask({ command: 'ethernetip.tags', input }, ListAnswer)
    },
  })
  const picked = new Set(draft.tags.map(addressKeyOf))
  const found = (list.data?.tags ?? []).filter(({ tag }) =>
    tag.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <Button variant="default" loading={list.isPending} onClick={() => list.mutate()}>
          {t('gateway.listTags')}
        </Button>
        {list.data && (
          <TextInput
            aria-label={t('gateway.search')}
            placeholder={t('gateway.search')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </div>
      {list.error && <ErrorPanel message={errorText(list.error, t('gateway.noAnswer'))} />}
      {list.data && (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={t('gateway.found')}>
            <thead>
              <tr>
                <th scope="col">{t('gateway.tagName')}</th>
                <th scope="col">{t('gateway.dataType')}</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, mostShown).map(({ tag, program, dataType, type }) => {
                const one: Tag = {
                  name: [program, tag].filter(Boolean).join('.'),
                  tag,
                  ...(program !== null && { program }),
                  type: type ?? 'double',
                }
                return (
                  <tr key={addressKeyOf(one)}>
                    <td>
                      <Checkbox
                        label={one.name}
                        disabled={type === undefined}
                        checked={picked.has(addressKeyOf(one))}
                        onChange={() => onToggle(one)}
                      />
                    </td>
                    <td>{dataType}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
