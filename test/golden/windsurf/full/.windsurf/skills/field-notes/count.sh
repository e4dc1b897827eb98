#!/bin/sh
echo lamp
