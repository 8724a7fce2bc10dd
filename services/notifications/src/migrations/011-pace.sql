-- Next time at which a chat or hook takes a message; all processes keep to it.
create unlogged table pace (
  -- Hash of the address of the chat or hook.
  target text primary key,
  free_at timestamptz(3) not null
);

create index message_failed on message (notification_id, created_at) where kind = 'failed';

-- Messages of escalations by the message whose alarms they repeat.
create index message_origin on message ((facts ->> 'origin')) where kind = 'escalation';
