import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Checkbox, Loader } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Node } from './agent-answers.ts'
import { useAgentErrorText } from './agent-calls.ts'
import classes from './sources.module.css'

export type NodeActions = {
  children: (node: string) => Promise<readonly Node[]>
  isPicked: (node: string) => boolean
  toggle: (node: Node) => void
}

/** Nodes under each other; what is below one is asked for when it is opened. */
export function NodeList({ nodes, actions }: { nodes: readonly Node[]; actions: NodeActions }) {
  return (
    <ul className={classes.tree}>
      {nodes.map((node) => (
        <NodeItem key={node.node} node={node} actions={actions} />
      ))}
    </ul>
  )
}

function NodeItem({ node, actions }: { node: Node; actions: NodeActions }) {
  const t = useWords()
  const errorText = useAgentErrorText()
  const [below, setBelow] = useState<readonly Node[]>()
  const [state, setState] = useState<'closed' | 'asking' | 'open'>('closed')
  const [fault, setFault] = useState<string>()
  const open = async () => {
    if (state === 'open') return setState('closed')
    if (below) return setState('open')
    setState('asking')
    setFault(undefined)
    try {
      setBelow(await actions.children(node.node))
      return setState('open')
    } catch (error) {
      setFault(errorText(error, t('gateway.noAnswer')))
      return setState('closed')
    }
  }
  const Chevron = state === 'open' ? IconChevronDown : IconChevronRight
  return (
    <li>
      <div className={classes.node}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={state === 'open'}
          aria-label={t('gateway.open', { name: node.name })}
          onClick={() => void open()}
        >
          {state === 'asking' ? <Loader size={12} /> : <Chevron size={14} />}
        </ActionIcon>
        {node.kind === 'variable' && node.type ? (
          <Checkbox
            label={node.name}
            checked={actions.isPicked(node.node)}
            onChange={() => actions.toggle(node)}
          />
        ) : (
          <span>{node.name}</span>
        )}
        <code>{node.path ? `${node.path} · ${node.node}` : node.node}</code>
        {node.kind === 'variable' && (
          <span className={classes.value}>
            {nodeValueText(node.value)} <span className={classes.dim}>{node.dataType}</span>
          </span>
        )}
      </div>
      {fault !== undefined && <p className={classes.dim}>{fault}</p>}
      {state === 'open' && below && <NodeList nodes={below} actions={actions} />}
    </li>
  )
}

const nodeValueText = (value: unknown) =>
  value === undefined || value === null ? '' : String(value)
