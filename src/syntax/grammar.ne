# One top-level declaration. Tokens come from lexer.ts, the declaration is cut out by cut.ts.
#
# Every rule is left-recursive and none is empty: that keeps nearley linear. Lists are linked backwards
# (`push`), because nearley may complete a rule more than once and a shared array would then hold an item twice. They
# become arrays (`listOf`) behind their last item: earlier, each item would copy all those before it.
# Alternatives that begin alike share their beginning, and terminals in the same places are one matcher: nearley
# carries every alternative through every token, so their number is what parsing costs.
# The rules build the syntax tree of tree.ts; construct.ts turns it into the AST.

@preprocessor esmodule
@lexer lexer

@{%
import { listOf } from '../syntax/tree.ts';

const oneOf = (...types) => ({ types, test: token => types.includes(token.type) });
const mark = oneOf('bang', 'question'), segment = oneOf('segment', 'string'), key = oneOf('name', 'string'), prose = oneOf('string', 'text');
const scalar = oneOf('string', 'name', 'text', 'word'), single = oneOf('name', 'word'), path = oneOf('reference', 'string');
// `for` is no name in JavaScript.
const audience = { type: 'for' };
const groups = new Set(['mark', 'segment', 'key', 'prose', 'scalar', 'single', 'path', 'audience']);
// What is no group of types is one type.
const lexer = { has: name => !groups.has(name) };

const last = d => d[d.length - 1];
const first = d => ({ before: undefined, item: d[0] });
const push = d => ({ before: d[0], item: last(d) });
const end = d => ({ items: d.length > 1 ? listOf(d[0]) : [], close: last(d) });
const call = d => ({ kind: 'call', name: d[0], ...d[1] });
const join = d => ({ kind: 'join', left: d[0], right: d[2] });
const array = d => ({ kind: 'array', open: d[0], ...d[1] });
const object = d => ({ kind: 'object', open: d[0], ...d[1] });
const use = d => ({ kind: 'use', at: d[0], ...d[1] });
%}

declaration -> %at body                       {% d => ({ kind: 'block', at: d[0], body: d[1] }) %}
             | %inherit source                {% d => ({ kind: 'inherit', at: d[0], source: d[1] }) %}
             | %use imported                  {% use %}
             | %extend names body             {% d => ({ kind: 'extend', at: d[0], path: listOf(d[1]), body: d[2] }) %}
             | %override names body           {% d => ({ kind: 'override', at: d[0], path: listOf(d[1]), body: d[2], close: d[2].close }) %}
             | %override names %lbrace lone %rbrace
                 {% d => ({ kind: 'override', at: d[0], path: listOf(d[1]), value: d[3], close: d[4] }) %}

imported -> source                            {% d => ({ source: d[0] }) %}
          | source clauses                    {% d => ({ source: d[0], ...d[1] }) %}
clauses -> place                              {% id %}
         | place %audience targets            {% d => ({ ...d[0], targets: d[2] }) %}
         | %audience targets                  {% d => ({ targets: d[1] }) %}
place -> %as %name                            {% d => ({ alias: d[1] }) %}
       | %into %string                        {% d => ({ into: d[1] }) %}
       | %as %name %into %string              {% d => ({ alias: d[1], into: d[3] }) %}
       | %into %string %as %name              {% d => ({ into: d[1], alias: d[3] }) %}
targets -> %name                              {% first %}
         | targets %comma %name               {% push %}

source -> %path                               {% d => ({ path: d[0], arguments: [], close: d[0] }) %}
        | %path arguments                     {% d => ({ path: d[0], arguments: d[1].items, close: d[1].close }) %}
        | %path %version                      {% d => ({ path: d[0], version: d[1], arguments: [], close: d[1] }) %}
        | %path %version arguments            {% d => ({ path: d[0], version: d[1], arguments: d[2].items, close: d[2].close }) %}
arguments -> %lparen arguments_end            {% d => d[1] %}
arguments_end -> %rparen                      {% end %}
               | argument_list %rparen        {% end %}
               | argument_list %comma %rparen {% end %}
argument_list -> argument                     {% first %}
               | argument_list argument       {% push %}
               | argument_list %comma argument {% push %}
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
      | %use imported                         {% use %}
title -> %string                              {% d => ({ title: d[0] }) %}
       | %name %string                        {% d => ({ section: d[0], title: d[1] }) %}

field -> pair                                 {% id %}
       | pair %equals value                   {% d => ({ ...d[0], equals: d[1], fallback: d[2] }) %}
pair -> %key %colon value                     {% d => ({ kind: 'field', key: d[0], value: d[2] }) %}
      | %key %mark %colon value               {% d => ({ kind: 'field', key: d[0], mark: d[1], value: d[3] }) %}

value -> %scalar                              {% id %}
       | %lbracket array_end                  {% array %}
       | %lbrace object_end                   {% object %}
       | joined                               {% id %}
joined -> %name call                          {% call %}
        | %string %plus part                  {% join %}
        | joined %plus part                   {% join %}
part -> %string                               {% id %}
      | %name call                            {% call %}
call -> %lparen call_end                      {% d => d[1] %}
call_end -> values %rparen                    {% d => ({ values: listOf(d[0]), close: d[1] }) %}
          | values %comma %rparen             {% d => ({ values: listOf(d[0]), close: d[2] }) %}
          | %range %rparen                    {% d => ({ values: [], range: d[0], close: d[1] }) %}
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
      | %lbracket array_end                   {% array %}
      | %lbrace object_end                    {% object %}
      | joined                                {% id %}
