import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowseAnswer, EndpointsAnswer, SearchAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import type { BrowserProps } from './browser-props.ts'
import { OpcuaEndpoints } from './OpcuaEndpoints.tsx'
import { type NodeActions, NodeList } from './OpcuaNodes.tsx'
import { cleaned, addressKeyOf } from './source-rules.ts'
import classes from './sources.module.css'

/** The address space of an OPC UA server, node by node or by a search, and its endpoints. */
export function OpcuaBrowser({ deviceId, draft, replaces, onChange, onToggle }: BrowserProps) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const errorText = useAgentErrorText()
  const common = { source: cleaned(draft), ...(replaces !== undefined && { replaces }) }
  const children = (node?: string) =>
    ask({ command: 'opcua.browse', input: { ...common, ...(node && { node }) } }, BrowseAnswer)
  const endpoints = useMutation({
    mutationFn: () => {
      const input = { url: String(draft['url'] ?? '') }
      return ask({ command: 'opcua.endpoints', input }, EndpointsAnswer)
    },
  })
  const browse = useMutation({ mutationFn: () => children() })
  const search = useMutation({
    mutationFn: (text: string) =>
      ask({ command: 'opcua.search', input: { ...common, text } }, SearchAnswer),
  })
  const failed = endpoints.error ?? browse.error ?? search.error
  const picked = new Set(draft.tags.map(addressKeyOf))
  const actions: NodeActions = {
    children: async (node) => (await children(node)).nodes,
    isPicked: (node) => picked.has(addressKeyOf({ name: '', node })),
    toggle: ({ node, name, type, writable }) =>
      onToggle({ name, node, type: type ?? 'double', ...(writable && { writable }) }),
  }
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <Button variant="default" loading={endpoints.isPending} onClick={() => endpoints.mutate()}>
          {t('gateway.endpoints')}
        </Button>
        <Button variant="default" loading={browse.isPending} onClick={() => browse.mutate()}>
          {t('gateway.browse')}
        </Button>
        <NodeSearch pending={search.isPending} onSearch={search.mutate} />
      </div>
      {failed && <ErrorPanel message={errorText(failed, t('gateway.noAnswer'))} />}
      {endpoints.data && (
        <OpcuaEndpoints
          {...endpoints.data}
          chosen={draft}
          onChoose={({ security, policy, serverCertificate }) =>
            onChange({
              ...draft,
              security,
              ...(security !== 'None' && { policy }),
              serverCertificate: security === 'None' ? undefined : (serverCertificate ?? undefined),
            })
          }
        />
      )}
      {search.data && (
        <div className={classes.scroll}>
          {search.data.nodes.length === 0 && <p className={classes.dim}>{t('gateway.noNodes')}</p>}
          <NodeList nodes={search.data.nodes} actions={actions} />
        </div>
      )}
      {browse.data && (
        <>
          {browse.data.namespaces && (
            <p className={classes.dim}>
              {t('gateway.namespaces')}{' '}
              {browse.data.namespaces.map((uri, index) => `${index} ${uri}`).join(' · ')}
            </p>
          )}
          <div className={classes.scroll}>
            <NodeList nodes={browse.data.nodes} actions={actions} />
          </div>
        </>
      )}
    </div>
  )
}

function NodeSearch({ pending, onSearch }: { pending: boolean; onSearch: (text: string) => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  return (
    <>
      <TextInput
        aria-label={t('gateway.searchNodes')}
        placeholder={t('gateway.searchNodes')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return
          // The form around it would be sent.
          event.preventDefault()
          onSearch(text)
        }}
      />
      <Button
        variant="default"
        disabled={text === ''}
        loading={pending}
        onClick={() => onSearch(text)}
      >
        {t('gateway.search')}
      </Button>
    </>
  )
}
