# One top-level declaration. Tokens come from lexer.ts, the declaration is cut out by cut.ts.
#
# Every rule is left-recursive and none is empty: that keeps nearley linear. Lists are linked backwards
# (`push`), because nearley may complete a rule more than once and a shared array would then hold an item twice.
# Alternatives that begin alike share their beginning, and terminals in the same places are one matcher: nearley
# carries every alternative through every token, so their number is what parsing costs.
# The rules build a plain tree (tree.ts); construct.ts turns it into the AST.

@preprocessor esmodule

@{%
import * as tree from '../syntax/tree.ts';
const token = type => ({ type });
const oneOf = (...types) => ({ types, test: token => types.includes(token.type) });
const at = token('at'), inherit = token('inherit'), use = token('use'), extend = token('extend');
const override = token('override'), header = token('header'), name = token('name'), word = token('word');
const range = token('range'), string = token('string'), reference = token('reference');
const version = token('version'), as = token('as'), into = token('into'), audience = token('for');
const lbrace = token('lbrace'), rbrace = token('rbrace'), lbracket = token('lbracket'), rbracket = token('rbracket');
const lparen = token('lparen'), rparen = token('rparen'), colon = token('colon'), comma = token('comma');
const equals = token('equals'), question = token('question'), bang = token('bang'), dash = token('dash');
const dot = token('dot'), plus = token('plus');
const segment = oneOf('segment', 'string'), key = oneOf('name', 'string'), prose = oneOf('string', 'text');
const scalar = oneOf('string', 'name', 'text', 'word');
%}

declaration -> %at body                       {% tree.block %}
             | %inherit source                {% tree.inherit %}
             | use                            {% id %}
             | %extend path body              {% tree.extend %}
             | %override path body            {% tree.override %}
             | %override path %lbrace single %rbrace {% tree.overrideValue %}

use -> %use imported                          {% tree.use %}
imported -> placed                            {% tree.imported %}
          | placed %audience targets          {% tree.imported %}
placed -> source
        | source %as %name
        | source %into %string
        | source %as %name %into %string
        | source %into %string %as %name
targets -> %name                              {% tree.first %}
         | targets %comma %name               {% tree.push %}

source -> %reference                          {% tree.source %}
        | %reference arguments                {% tree.source %}
        | %string                             {% tree.source %}
        | %string arguments                   {% tree.source %}
        | %string %version                    {% tree.source %}
        | %string %version arguments          {% tree.source %}

arguments -> %lparen arguments_end            {% tree.args %}
arguments_end -> %rparen                      {% tree.end %}
               | argument_list %rparen        {% tree.end %}
               | argument_list %comma %rparen {% tree.end %}
argument_list -> argument                     {% tree.first %}
               | argument_list argument       {% tree.push %}
               | argument_list %comma argument {% tree.push %}
argument -> %name %colon value                {% tree.argument %}

path -> %segment                              {% tree.first %}
      | path %dot %segment                    {% tree.push %}

body -> %lbrace body_end                      {% tree.body %}
body_end -> %rbrace                           {% tree.end %}
          | items %rbrace                     {% tree.end %}
          | items %comma %rbrace              {% tree.end %}
items -> item                                 {% tree.first %}
       | items item                           {% tree.push %}
       | items %comma item                    {% tree.push %}
item -> field                                 {% id %}
      | %prose                                {% tree.textItem %}
      | %dash value                           {% tree.listItem %}
      | %header title                         {% tree.headerItem %}
      | use                                   {% id %}
title -> %string
       | %name %string

field -> typed                                {% tree.field %}
       | typed %equals value                  {% tree.field %}
       | %key %bang %colon value              {% tree.replacement %}
typed -> label value                          {% tree.typed %}
label -> %key %colon                          {% tree.label %}
       | %key %question %colon                {% tree.label %}

call -> %name call_end                        {% tree.call %}
call_end -> %lparen values %rparen            {% tree.callEnd %}
          | %lparen values %comma %rparen     {% tree.callEnd %}
          | %lparen %range %rparen            {% tree.rangeEnd %}

value -> %scalar                              {% id %}
       | collection                           {% id %}
       | joined                               {% id %}
joined -> call                                {% id %}
        | %string %plus part                  {% tree.join %}
        | joined %plus part                   {% tree.join %}
part -> %string                               {% id %}
      | call                                  {% id %}
collection -> %lbracket array_end             {% tree.array %}
            | %lbrace object_end              {% tree.object %}
array_end -> %rbracket                        {% tree.end %}
           | values %rbracket                 {% tree.end %}
           | values %comma %rbracket          {% tree.end %}
object_end -> %rbrace                         {% tree.end %}
            | fields %rbrace                  {% tree.end %}
            | fields %comma %rbrace           {% tree.end %}
values -> value                               {% tree.first %}
        | values value                        {% tree.push %}
        | values %comma value                 {% tree.push %}
fields -> field                               {% tree.first %}
        | fields field                        {% tree.push %}
        | fields %comma field                 {% tree.push %}

# What `@override` may hold instead of a body. A lone string is a body of one text, construct.ts takes it as a value.
single -> %name                               {% id %}
        | %word                               {% id %}
        | collection                          {% id %}
        | joined                              {% id %}
