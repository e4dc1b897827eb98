# One top-level declaration. Tokens come from lexer.ts, the declaration is cut out by cut.ts.
#
# Every rule is left-recursive and none is empty: that keeps nearley linear. Lists are linked backwards
# (`push`), because nearley may complete a rule more than once and a shared array would then hold an item twice.
# Alternatives that begin alike share their beginning, and terminals in the same places are one matcher: nearley
# carries every alternative through every token, so their number is what parsing costs.
# The rules build the syntax tree of tree.ts; construct.ts turns it into the AST.

@preprocessor esmodule
@lexer lexer

@{%
const oneOf = (...types) => ({ types, test: token => types.includes(token.type) });
const segment = oneOf('segment', 'string'), key = oneOf('name', 'string'), prose = oneOf('string', 'text');
const scalar = oneOf('string', 'name', 'text', 'word'), single = oneOf('name', 'word'), path = oneOf('reference', 'string');
// `for` is no name in JavaScript.
const audience = { type: 'for' };
const groups = new Set(['segment', 'key', 'prose', 'scalar', 'single', 'path', 'audience']);
// What is no group of types is one type.
const lexer = { has: name => !groups.has(name) };

const last = d => d[d.length - 1];
const first = d => ({ before: undefined, item: d[0] });
const push = d => ({ before: d[0], item: last(d) });
const listOf = link => {
  const items = [];
  for (let at = link; at; at = at.before) items.push(at.item);
  return items.reverse();
};
const end = d => ({ items: d.length > 1 ? listOf(d[0]) : [], close: last(d) });
const field = (label, value, equals, fallback) => ({ kind: 'field', ...label, value, equals, fallback });
%}

declaration -> %at body                       {% d => ({ kind: 'block', at: d[0], body: d[1] }) %}
             | %inherit source                {% d => ({ kind: 'inherit', at: d[0], source: d[1] }) %}
             | use                            {% id %}
             | %extend names body             {% d => ({ kind: 'extend', at: d[0], path: listOf(d[1]), body: d[2] }) %}
             | %override names body           {% d => ({ kind: 'override', at: d[0], path: listOf(d[1]), body: d[2], close: d[2].close }) %}
             | %override names %lbrace lone %rbrace
                 {% d => ({ kind: 'override', at: d[0], path: listOf(d[1]), value: d[3], close: d[4] }) %}

use -> %use imported                          {% d => ({ kind: 'use', at: d[0], ...d[1] }) %}
imported -> placed                            {% id %}
          | placed %audience targets          {% d => ({ ...d[0], targets: listOf(d[2]) }) %}
placed -> source                              {% d => ({ source: d[0], targets: [] }) %}
        | source clauses                      {% d => ({ source: d[0], ...d[1], targets: [] }) %}
clauses -> %as %name                          {% d => ({ alias: d[1] }) %}
         | %into %string                      {% d => ({ into: d[1] }) %}
         | %as %name %into %string            {% d => ({ alias: d[1], into: d[3] }) %}
         | %into %string %as %name            {% d => ({ into: d[1], alias: d[3] }) %}
targets -> %name                              {% first %}
         | targets %comma %name               {% push %}

source -> named                               {% d => ({ ...d[0], arguments: [], close: d[0].version ?? d[0].path }) %}
        | named %lparen arguments_end         {% d => ({ ...d[0], arguments: d[2].items, close: d[2].close }) %}
named -> %path                                {% d => ({ path: d[0] }) %}
       | %string %version                     {% d => ({ path: d[0], version: d[1] }) %}
arguments_end -> %rparen                      {% end %}
               | arguments %rparen            {% end %}
               | arguments %comma %rparen     {% end %}
arguments -> argument                         {% first %}
           | arguments argument               {% push %}
           | arguments %comma argument        {% push %}
argument -> %name %colon value                {% d => ({ name: d[0], value: d[2] }) %}

names -> %segment                             {% first %}
       | names %dot %segment                  {% push %}

body -> %lbrace body_end                      {% d => ({ open: d[0], ...d[1] }) %}
body_end -> %rbrace                           {% end %}
          | items %rbrace                     {% end %}
          | items %comma %rbrace              {% end %}
items -> item                                 {% first %}
       | items item                           {% push %}
       | items %comma item                    {% push %}
item -> field                                 {% id %}
      | %prose                                {% d => ({ kind: 'text', text: d[0] }) %}
      | %dash value                           {% d => ({ kind: 'item', dash: d[0], value: d[1] }) %}
      | %header title                         {% d => ({ kind: 'header', at: d[0], ...d[1] }) %}
      | use                                   {% id %}
title -> %string                              {% d => ({ title: d[0] }) %}
       | %name %string                        {% d => ({ section: d[0], title: d[1] }) %}

field -> typed                                {% d => field(d[0].label, d[0].value) %}
       | typed %equals value                  {% d => field(d[0].label, d[0].value, d[1], d[2]) %}
       | %key %bang %colon value              {% d => field({ key: d[0], mark: d[1] }, d[3]) %}
typed -> label value                          {% d => ({ label: d[0], value: d[1] }) %}
label -> %key %colon                          {% d => ({ key: d[0], mark: undefined }) %}
       | %key %question %colon                {% d => ({ key: d[0], mark: d[1] }) %}

call -> %name call_end                        {% d => ({ kind: 'call', name: d[0], ...d[1] }) %}
call_end -> %lparen values %rparen            {% d => ({ values: listOf(d[1]), close: d[2] }) %}
          | %lparen values %comma %rparen     {% d => ({ values: listOf(d[1]), close: d[3] }) %}
          | %lparen %range %rparen            {% d => ({ values: [], range: d[1], close: d[2] }) %}

value -> %scalar                              {% id %}
       | collection                           {% id %}
       | joined                               {% id %}
joined -> call                                {% id %}
        | %string %plus part                  {% d => ({ kind: 'join', left: d[0], right: d[2] }) %}
        | joined %plus part                   {% d => ({ kind: 'join', left: d[0], right: d[2] }) %}
part -> %string                               {% id %}
      | call                                  {% id %}
collection -> %lbracket array_end             {% d => ({ kind: 'array', open: d[0], ...d[1] }) %}
            | %lbrace object_end              {% d => ({ kind: 'object', open: d[0], ...d[1] }) %}
array_end -> %rbracket                        {% end %}
           | values %rbracket                 {% end %}
           | values %comma %rbracket          {% end %}
object_end -> %rbrace                         {% end %}
            | fields %rbrace                  {% end %}
            | fields %comma %rbrace           {% end %}
values -> value                               {% first %}
        | values value                        {% push %}
        | values %comma value                 {% push %}
fields -> field                               {% first %}
        | fields field                        {% push %}
        | fields %comma field                 {% push %}

# What `@override` may hold instead of a body. A lone string is a body of one text, construct.ts takes it as a value.
lone -> %single                               {% id %}
      | collection                            {% id %}
      | joined                                {% id %}
